import { ServiceUnavailableException } from '@nestjs/common';

/** The store of threads cannot be reached. */
export class ThreadStoreUnavailableError extends ServiceUnavailableException {
  constructor(cause: unknown) {
    super('The threads cannot be reached at the moment; please try again.', {
      cause,
    });
  }
}
