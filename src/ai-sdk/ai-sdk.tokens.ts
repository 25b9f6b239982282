/** The options of the agent that `AiSdkAgentModule` makes. */
export const AI_SDK_AGENT_OPTIONS = 'AGUI:AI_SDK_AGENT_OPTIONS';
/** Where it is served. */
export const AI_SDK_AGENT_PATH = 'AGUI:AI_SDK_AGENT_PATH';
