import type {
  ToolCallMessagePartProps,
  ToolDefinition,
} from '@assistant-ui/react';
import { Card } from './tool-card';

interface Question {
  question: string;
  options: string[];
}

interface Answer {
  choice: string;
}

/** A tool that a human is: the run ends with the call open, and the user's answer goes on with it. */
export const chooseOption: ToolDefinition<
  { question: string; options: string[] },
  Answer
> = {
  type: 'human',
  description: 'Lets the user choose between options',
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string' },
      options: { type: 'array', items: { type: 'string' } },
    },
    required: ['question', 'options'],
  },
  render: Choice,
};

/** Shows the options while the arguments still come in. */
function Choice(props: ToolCallMessagePartProps<Question, Answer>) {
  const { args, result, status, addResult } = props;
  const isOpen = result === undefined && status.type === 'requires-action';
  return (
    <Card {...props}>
      <div className="choice" role="group" aria-label={args.question ?? ''}>
        <p>{args.question}</p>
        {(args.options ?? []).map((choice, n) => (
          <button
            key={n}
            type="button"
            disabled={!isOpen}
            aria-pressed={result?.choice === choice}
            onClick={() => addResult({ choice })}
          >
            {choice}
          </button>
        ))}
      </div>
    </Card>
  );
}
