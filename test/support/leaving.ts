/** How long a promise takes, in milliseconds. */
export async function timeOf(promise: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await promise;
  return performance.now() - start;
}
