import { ThreadPrimitive } from '@assistant-ui/react';
import { introductionOf } from './suggestions';

/** The start screen: who this is, and what to ask. */
export function Welcome({ agentId }: { agentId: string }) {
  const { text, suggestions } = introductionOf(agentId);
  return (
    <div className="welcome">
      <h2>Talk to “{agentId}”</h2>
      <p>{text}</p>
      <ul className="suggestions" aria-label="Suggestions">
        {suggestions.map((prompt) => (
          <li key={prompt}>
            <ThreadPrimitive.Suggestion prompt={prompt} send>
              {prompt}
            </ThreadPrimitive.Suggestion>
          </li>
        ))}
      </ul>
    </div>
  );
}
