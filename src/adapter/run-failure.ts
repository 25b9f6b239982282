import { EventType } from '@ag-ui/core';
import type { HttpException } from '@nestjs/common';
import { messageOf } from '../thrown.js';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';

/** What a client is told of a failed run. */
export interface RunFailure {
  message: string;
  code: string;
}

/**
 * What may be said of an error. An {@link AguiError} and Nest's `HttpException` were written for the
 * client; of any other error only its kind is told, unless errors are exposed.
 */
export function failureOf(error: unknown, exposeErrors: boolean): RunFailure {
  try {
    return tellOf(error, exposeErrors);
  } catch {
    // What was thrown may be anything, also what throws when it is looked at.
    return maskedFailureOf(undefined);
  }
}

/** The event that tells the client of an error. */
export function runError(error: unknown, exposeErrors: boolean): AguiEvent {
  return {
    type: EventType.RUN_ERROR,
    ...failureOf(error, exposeErrors),
    timestamp: Date.now(),
  };
}

function tellOf(error: unknown, exposeErrors: boolean): RunFailure {
  if (error instanceof AguiError)
    return { message: error.message, code: error.code };
  const status = httpStatusOf(error);
  if (status !== undefined)
    return { message: (error as Error).message, code: `HTTP_${status}` };
  const masked = maskedFailureOf(error);
  return exposeErrors ? { ...masked, message: messageOf(error) } : masked;
}

function maskedFailureOf(error: unknown): RunFailure {
  switch ((error as Error | undefined)?.name) {
    case 'TimeoutError':
      return {
        message: 'The run took too long and was stopped.',
        code: AguiErrorCode.TIMEOUT_ERROR,
      };
    case 'AbortError':
      return {
        message: 'The run was interrupted.',
        code: AguiErrorCode.INTERRUPTED_ERROR,
      };
    default:
      return {
        message: 'The agent failed. The server log says why.',
        code: AguiErrorCode.INTERNAL_ERROR,
      };
  }
}

// By shape, not by class: the application may have another copy of @nestjs/common. Other libraries'
// errors may have a status, too, but not both methods.
function httpStatusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { getStatus, getResponse } = error as Partial<HttpException>;
  if (typeof getStatus !== 'function' || typeof getResponse !== 'function')
    return undefined;
  return getStatus.call(error);
}
