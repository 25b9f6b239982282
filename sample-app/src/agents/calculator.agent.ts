import { Injectable } from '@nestjs/common';
import { AguiAgent, Toolkit } from 'nestjs-agui';
import { OfflineAgent } from '../offline/offline.agent.js';
import { calculate } from '../tools/calculate.tool.js';

/** Does arithmetic and nothing else. */
@Injectable()
@AguiAgent('calculator')
export class CalculatorAgent extends OfflineAgent {
  override readonly toolkit = new Toolkit([calculate]);
}
