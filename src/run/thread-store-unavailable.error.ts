import { Logger, ServiceUnavailableException } from '@nestjs/common';
import { detailsOf } from '../thrown.js';

const logger = new Logger('AguiModule');

/** The store of threads cannot be reached. */
export class ThreadStoreUnavailableError extends ServiceUnavailableException {
  constructor(cause: unknown) {
    super('The threads cannot be reached at the moment; please try again.', {
      cause,
    });
  }
}

/** Refuses because of what the store of threads has thrown, which only the log may tell. */
export function refuseUnreachable(cause: unknown): never {
  logger.error('The thread store cannot be reached.', detailsOf(cause));
  throw new ThreadStoreUnavailableError(cause);
}
