import { useFrontendTool, useHumanInTheLoop } from '@copilotkit/react-core/v2';
import { z } from 'zod';

/** A tool that the page answers by itself. */
export function ChangeBackground() {
  useFrontendTool({
    name: 'change_background',
    description: 'Changes the background of the page',
    parameters: z.object({ background: z.string().describe('A CSS colour') }),
    handler: async ({ background }) => {
      document.documentElement.dataset['background'] = background;
      return `The background is ${background} now.`;
    },
  });
  return null;
}

/** A tool that the user answers. */
export function ChooseOption() {
  useHumanInTheLoop({
    name: 'choose_option',
    description: 'Lets the user choose one of several options',
    parameters: z.object({
      question: z.string(),
      options: z.array(z.string()),
    }),
    render: ({ args, status, respond, result }) => (
      <fieldset aria-label="Choice">
        <legend>{args.question}</legend>
        {status === 'complete' && <p>Chosen: {result}</p>}
        {respond &&
          args.options?.map((option) => (
            <button key={option} onClick={() => void respond(option)}>
              {option}
            </button>
          ))}
      </fieldset>
    ),
  });
  return null;
}
