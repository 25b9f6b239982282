import { useAgent } from '@copilotkit/react-core/v2';

interface Recipe {
  title: string;
  ingredients: string[];
}

/** The state that the page and the agent share. */
export function RecipePanel() {
  const { agent } = useAgent({ agentId: 'recipe' });
  const { recipe } = agent.state as { recipe?: Recipe };
  const { title = '', ingredients = [] } = recipe ?? {};
  return (
    <section aria-label="Recipe">
      <input
        aria-label="Title"
        value={title}
        onChange={({ target }) =>
          agent.setState({ recipe: { title: target.value, ingredients } })
        }
      />
      <ul>
        {ingredients.map((ingredient) => (
          <li key={ingredient}>{ingredient}</li>
        ))}
      </ul>
    </section>
  );
}
