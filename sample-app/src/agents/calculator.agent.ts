import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { toolsOf } from 'nestjs-agui/ai-sdk';
import { sampleModel } from '../model.js';
import { OfficeTools } from '../tools/office.tools.js';
import { PoliteAgent } from './polite.agent.js';

/** Does arithmetic. */
@Injectable()
@AguiAgent('calculator')
export class CalculatorAgent extends PoliteAgent {
  constructor(office: OfficeTools) {
    const { calculate } = toolsOf(office);
    super({
      model: sampleModel(),
      system: 'You calculate. Always use the tool.',
      tools: { calculate: calculate! },
    });
  }
}
