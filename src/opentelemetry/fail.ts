import { SpanStatusCode, type Span } from '@opentelemetry/api';
import { ATTRIBUTE } from './attributes.js';

/** Marks a span as failed. */
export function fail(span: Span, type: string): void {
  span.setAttribute(ATTRIBUTE.ERROR, type);
  span.setStatus({ code: SpanStatusCode.ERROR, message: type });
}
