import type { Message } from '@ag-ui/core';

/** The metadata key of a confirming message's {@link ConfirmResult}s. */
export const CONFIRM_RESULTS = 'agui.confirmResults';
/** The metadata key of the interrupt that a message answers. */
export const INTERRUPT_ID = 'agui.interruptId';
/** The metadata key of how it was answered: `resolved` or `cancelled`. */
export const RESUME_STATUS = 'agui.resumeStatus';

const KEYS: readonly string[] = [CONFIRM_RESULTS, INTERRUPT_ID, RESUME_STATUS];

/** A client's message without what says that the user has answered: only this server can know that. */
export function withoutAnswers<M extends Message>(message: M): M {
  const { metadata } = message;
  if (metadata === undefined || !KEYS.some((key) => key in metadata))
    return message;
  const own = Object.entries(metadata).filter(([key]) => !KEYS.includes(key));
  return { ...message, metadata: Object.fromEntries(own) };
}
