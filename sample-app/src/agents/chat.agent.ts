import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { sampleModel } from '../model.js';

/** Just talks. */
@Injectable()
@AguiAgent('chat')
export class ChatAgent extends AiSdkAgent {
  constructor() {
    super({ model: sampleModel() });
  }
}
