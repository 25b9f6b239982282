/** @throws Error if Redis does not answer within so many milliseconds. */
export async function inTime<T>(
  answer: Promise<T>,
  answerTime: number,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Redis did not answer in ${answerTime} ms.`)),
      answerTime,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
