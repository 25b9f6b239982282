import {
  BadRequestException,
  HttpException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { InputIssue } from '../protocol/input-issue.js';

/** What the platform's parser says of a body, as this module answers it; undefined if it is about something else. */
export function bodyProblem(error: unknown): HttpException | undefined {
  if (error instanceof HttpException) return undefined;
  const { code, status, statusCode, message } = (error ?? {}) as {
    code?: string;
    status?: number;
    statusCode?: number;
    message?: string;
  };
  switch (status ?? statusCode) {
    case 400:
      return invalidInput('The body is no valid JSON.', [
        { path: '', message: message ?? '' },
      ]);
    case 413:
      return new PayloadTooLargeException('The run input is too large.');
    case 415:
      return code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
        ? notJson()
        : new UnsupportedMediaTypeException(message);
    default:
      return undefined;
  }
}

/** The answer to what is declared to be something else, or nothing. */
export function notJson(): UnsupportedMediaTypeException {
  return new UnsupportedMediaTypeException(
    'The run input must be sent as application/json.',
  );
}

/** The answer to what is no run input. */
export function invalidInput(
  message: string,
  errors: readonly InputIssue[],
): BadRequestException {
  return new BadRequestException({ statusCode: 400, message, errors });
}
