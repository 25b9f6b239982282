/** The metadata key under which a tool message says how its call ended, when not in success. */
export const TOOL_RESULT_STATE = 'agui.toolResultState';
