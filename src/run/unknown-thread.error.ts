import { NotFoundException } from '@nestjs/common';

/** There is no such thread, or no such run on it; whoever's it may be besides the user's. */
export class UnknownThreadError extends NotFoundException {
  constructor(threadId: string, runId?: string) {
    const run = runId === undefined ? '' : ` with a run "${runId}"`;
    super(`There is no thread "${threadId}"${run} here.`);
  }
}
