/** What messages call an extension: its class, if it has one of its own. */
export function nameOf(extension: object): string {
  const name = (extension.constructor as { name?: string } | undefined)?.name;
  return name === undefined || name === 'Object'
    ? 'that is a plain object'
    : name;
}
