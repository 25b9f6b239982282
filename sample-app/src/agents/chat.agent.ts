import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { sampleModel } from '../model.js';
import { PoliteAgent } from './polite.agent.js';

/** Just talks. */
@Injectable()
@AguiAgent('chat')
export class ChatAgent extends PoliteAgent {
  constructor() {
    super({ model: sampleModel() });
  }
}
