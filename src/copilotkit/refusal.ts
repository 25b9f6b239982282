import { HttpException } from '@nestjs/common';
import type { InputIssue } from '../protocol/input-issue.js';
import { UnknownAgentError } from '../run/unknown-agent.error.js';

interface Problem {
  message?: string;
  errors?: readonly InputIssue[];
}

/** A refusal with the members that CopilotKit's runtime gives it besides: `error`, and `details` of a bad body. */
export function refusalOf(problem: HttpException): HttpException {
  const status = problem.getStatus();
  const body = problem.getResponse() as string | Problem;
  if (typeof body === 'string') return problem;
  const { message = problem.message, errors = [] } = body;
  const isUnknownAgent = problem instanceof UnknownAgentError;
  if (!isUnknownAgent && status !== 400) return problem;
  const words = isUnknownAgent
    ? { error: 'Agent not found' }
    : {
        error: 'Invalid request body',
        details: [message, ...errors.map(lineOf)].join(' '),
      };
  return new HttpException({ ...body, ...words }, status, { cause: problem });
}

function lineOf({ path, message }: InputIssue): string {
  return path === '' ? `${message}.` : `${path}: ${message}.`;
}
