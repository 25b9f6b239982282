const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The path that a request asks for, as routers read it: HTTP allows a whole URL in its place, and
 * any character in its encoded form.
 */
export function pathOf(target: string): string {
  const [path = ''] = target.replace(ORIGIN, '').split(/[?#]/);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
