import type { ToolDefinition } from '@assistant-ui/react';
import { ToolCard } from './tool-card';

/** A tool of the page's own: the agent calls it, the page does it, and a new run goes on with what came of it. */
export const changeBackground: ToolDefinition<{ background: string }, string> =
  {
    type: 'frontend',
    description: 'Changes the background of the page',
    parameters: {
      type: 'object',
      properties: {
        background: { type: 'string', description: 'A CSS colour' },
      },
      required: ['background'],
    },
    execute: ({ background }) => {
      if (!CSS.supports('background-color', background))
        return `${background} is no colour that this page knows.`;
      document.documentElement.style.setProperty('--backdrop', background);
      return `The background is ${background}.`;
    },
    render: ToolCard,
  };
