import type { AgentTool } from 'nestjs-agui';

/** The time, here or in a time zone. */
export const getCurrentTime: AgentTool = {
  name: 'get_current_time',
  description: 'Tells the current time',
  parameters: {
    type: 'object',
    properties: {
      timeZone: { type: 'string', description: 'Such as Europe/Paris' },
    },
  },
  execute: ({ timeZone }) => ({
    time: new Date().toLocaleTimeString('en-GB', {
      timeZone: typeof timeZone === 'string' ? timeZone : 'UTC',
    }),
    timeZone: timeZone ?? 'UTC',
  }),
};
