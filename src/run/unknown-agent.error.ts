import { NotFoundException } from '@nestjs/common';

/** The request asks for an agent that is not served, or not to be chosen by header or body. */
export class UnknownAgentError extends NotFoundException {
  constructor(id: string) {
    super(`There is no agent "${id}" here.`);
  }
}
