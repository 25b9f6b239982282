import { useAuiState } from '@assistant-ui/react';
import { useAgUiSetState, useAgUiState } from '@assistant-ui/react-ag-ui';
import { useState } from 'react';
import { useRunFacts } from '../run/run-info-context';
import { recipeIn, type Recipe } from './recipe';

/** The shared state: the agent changes it by deltas, and the user here; the next run brings it to the agent. */
export function RecipePanel() {
  const state = useAgUiState();
  const setState = useAgUiSetState<{ recipe: Recipe }>();
  const isRunning = useAuiState(({ thread }) => thread.isRunning);
  const recipe = recipeIn(state);
  const change = (changed: Partial<Recipe>) =>
    setState({ recipe: { ...recipe, ...changed } });
  return (
    <section className="recipe" aria-label="Recipe">
      <h2>Recipe</h2>
      <label className="field">
        <span>Title</span>
        <input
          value={recipe.title}
          placeholder="Ask for a recipe, or name it"
          disabled={isRunning}
          onChange={({ target }) => change({ title: target.value })}
        />
      </label>
      <Ingredients {...recipe} isLocked={isRunning} change={change} />
      <Deltas />
    </section>
  );
}

interface IngredientsProps extends Recipe {
  isLocked: boolean;
  change: (changed: Partial<Recipe>) => void;
}

function Ingredients({ ingredients, isLocked, change }: IngredientsProps) {
  const [added, setAdded] = useState('');
  return (
    <>
      <ul className="ingredients" aria-label="Ingredients">
        {ingredients.map((ingredient, n) => (
          <li key={`${n} ${ingredient}`}>
            {ingredient}
            <button
              type="button"
              className="icon"
              aria-label={`Remove ${ingredient}`}
              disabled={isLocked}
              onClick={() =>
                change({ ingredients: ingredients.toSpliced(n, 1) })
              }
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
      <form
        className="add-ingredient"
        onSubmit={(event) => {
          event.preventDefault();
          if (added.trim() === '') return;
          change({ ingredients: [...ingredients, added.trim()] });
          setAdded('');
        }}
      >
        <input
          aria-label="New ingredient"
          placeholder="Add one yourself"
          value={added}
          disabled={isLocked}
          onChange={({ target }) => setAdded(target.value)}
        />
        <button type="submit" disabled={isLocked}>
          Add
        </button>
      </form>
    </>
  );
}

/** The changes of the last run, as they have landed. */
function Deltas() {
  const { patches } = useRunFacts();
  return (
    <div className="deltas" role="log" aria-label="State deltas">
      {patches.length === 0 && <p>Changes of the agent’s appear here.</p>}
      {patches.map(({ id, op, path, value }) => (
        <p key={id}>
          <code>
            {op} {path} {value === undefined ? '' : JSON.stringify(value)}
          </code>
        </p>
      ))}
    </div>
  );
}
