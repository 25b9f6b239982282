import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { toolsOf } from 'nestjs-agui/ai-sdk';
import { sampleModel } from '../model.js';
import { MailTools } from '../tools/mail.tools.js';
import { PoliteAgent } from './polite.agent.js';

/** Sends emails, each of which the user confirms first. */
@Injectable()
@AguiAgent('approval')
export class ApprovalAgent extends PoliteAgent {
  constructor(mail: MailTools) {
    super({
      model: sampleModel(),
      system: 'You send emails for the user.',
      tools: toolsOf(mail),
    });
  }
}
