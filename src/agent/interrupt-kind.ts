/**
 * The `agentscope.interruptKind` of an interrupt about a call that the front end executes: a tool
 * message answers it as well as `resume` does, so that clients which ignore outcomes keep working.
 */
export const FRONTEND_CALL = 'frontend_call';
