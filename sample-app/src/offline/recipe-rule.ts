import type { Conversation } from './conversation.js';
import type { Turn } from './turn.js';

/** The state that the recipe agent shares with the page. */
export interface RecipeState {
  recipe: { title: string; ingredients: string[] };
}

/** How the recipe agent tells the model of its state. */
export function recipePrompt(state: unknown): string {
  return `The recipe so far: ${JSON.stringify(state)}`;
}

/** Changes the recipe: `recipe for …`, `add …`, `remove …`. */
export function recipeRule(conversation: Conversation): Turn | undefined {
  if (!conversation.tool('update_state')) return undefined;
  const recipe = recipeIn(conversation.system);
  const changed = changedRecipe(recipe, conversation.question);
  if (changed === undefined) return undefined;
  return {
    thinking: 'The recipe is shared, so I change it where the user sees it.',
    calls: [{ name: 'update_state', args: { state: { recipe: changed } } }],
  };
}

function changedRecipe(
  { title, ingredients }: RecipeState['recipe'],
  question: string,
): RecipeState['recipe'] | undefined {
  const named = /recipe (?:for|called) (.+)/i.exec(question)?.[1];
  if (named !== undefined)
    return { title: tidy(named), ingredients: ['salt', 'olive oil'] };
  const added = /\badd (.+)/i.exec(question)?.[1];
  if (added !== undefined)
    return { title, ingredients: [...ingredients, ...listed(added)] };
  const removed = /\bremove (.+)/i.exec(question)?.[1];
  if (removed === undefined) return undefined;
  const gone = listed(removed);
  return {
    title,
    ingredients: ingredients.filter((one) => !gone.includes(one)),
  };
}

function listed(text: string): string[] {
  return tidy(text)
    .split(/,| and /)
    .map((one) => one.trim())
    .filter(Boolean);
}

function tidy(text: string): string {
  return text.trim().replace(/(?<![.!?])[.!?]+$/, '');
}

/** The recipe that the instructions tell of; the page may have put anything there. */
function recipeIn(system: string): RecipeState['recipe'] {
  const json = /The recipe so far: ([^\n]*)/.exec(system)?.[1] ?? 'null';
  const state = JSON.parse(json) as Partial<RecipeState> | null;
  const { title, ingredients } = state?.recipe ?? {};
  return {
    title: typeof title === 'string' ? title : '',
    ingredients: Array.isArray(ingredients) ? ingredients.map(String) : [],
  };
}
