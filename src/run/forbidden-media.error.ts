import { BadRequestException } from '@nestjs/common';
import type { InputIssue } from '../protocol/input-issue.js';

/** A message has a file at an address that agents must not be given. */
export class ForbiddenMediaError extends BadRequestException {
  constructor(errors: readonly InputIssue[]) {
    const message = 'A message has a file at an address that is not allowed.';
    super({ statusCode: 400, message, errors });
  }
}
