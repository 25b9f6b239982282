import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { OfflineAgent } from '../offline/offline.agent.js';

/** Just talks. */
@Injectable()
@AguiAgent('chat')
export class ChatAgent extends OfflineAgent {}
