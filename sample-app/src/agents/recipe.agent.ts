import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { sampleModel } from '../model.js';
import { recipePrompt } from '../offline/recipe-rule.js';
import { PoliteAgent } from './polite.agent.js';

/** Works on a recipe together with the user: `{ recipe: { title, ingredients } }` is shared. */
@Injectable()
@AguiAgent('recipe')
export class RecipeAgent extends PoliteAgent {
  constructor() {
    super({
      model: sampleModel(),
      system:
        'You write a recipe together with the user. Its shape is {"recipe":{"title":string,"ingredients":string[]}}.',
      shareState: true,
      stateUpdates: 'DELTA',
      statePrompt: recipePrompt,
    });
  }
}
