/** The options of the agent that `AiSdkAgentModule` makes. */
export const AI_SDK_AGENT_OPTIONS = 'AGUI:AI_SDK_AGENT_OPTIONS';
/** Where it is served. */
export const AI_SDK_AGENT_PATH = 'AGUI:AI_SDK_AGENT_PATH';
/** The controller class of one registration. */
export const AI_SDK_AGENT_CONTROLLER = 'AGUI:AI_SDK_AGENT_CONTROLLER';
