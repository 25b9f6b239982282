/** A path of routes: segments of letters, digits, `_`, `-` and `.`, and none of dots alone. */
export const ROUTE_PATH = /^(?=.)\/?(\.*[\w-][\w\-.]*(\/|$))*$/;
