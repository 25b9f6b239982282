import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { sampleModel } from '../model.js';
import { PoliteAgent } from './polite.agent.js';

/** Has two other agents look at a question at the same time. */
@Injectable()
@AguiAgent('research')
export class ResearchAgent extends PoliteAgent {
  constructor() {
    const model = sampleModel();
    const researcher = (place: string) =>
      new AiSdkAgent({ model, system: `You research in ${place}. Be brief.` });
    super({
      model,
      system: 'Ask both researchers, then sum up what they found.',
      tools: {
        web_researcher: researcher('the web').asTool({
          name: 'web researcher',
          description: 'Researches in the web',
        }),
        library_researcher: researcher('the library').asTool({
          name: 'library researcher',
          description: 'Researches in the library',
        }),
      },
    });
  }
}
