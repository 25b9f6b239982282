/** What the recipe agent and the page share. */
export interface Recipe {
  title: string;
  ingredients: string[];
}

/** The recipe in a state; agents may put anything there. */
export function recipeIn(state: unknown): Recipe {
  const { recipe } = (state ?? {}) as { recipe?: Partial<Recipe> };
  const { title, ingredients } = recipe ?? {};
  return {
    title: typeof title === 'string' ? title : '',
    ingredients: Array.isArray(ingredients) ? ingredients.map(String) : [],
  };
}
