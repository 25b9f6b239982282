import { type Agent, type Msg, type RuntimeContext } from 'nestjs-agui';
import { tellerOf } from './module-app.js';

/** An agent class that says what a method of its tells. */
export abstract class Teller implements Agent {
  abstract tell(messages: Msg[], context: RuntimeContext): string;

  streamEvents(...[messages, context]: Parameters<Agent['streamEvents']>) {
    return tellerOf((...args) => this.tell(...args)).streamEvents(
      messages,
      context,
    );
  }
}
