/** The codes that this module puts on `RUN_ERROR`. */
export const AguiErrorCode = {
  TIMEOUT_ERROR: 'TIMEOUT_ERROR',
  INTERRUPTED_ERROR: 'INTERRUPTED_ERROR',
  INVALID_INPUT_ERROR: 'INVALID_INPUT_ERROR',
  INTERNAL_ERROR: 'INTERNAL_ERROR',
  AGUI_INTERRUPT_CONTRACT_ERROR: 'AGUI_INTERRUPT_CONTRACT_ERROR',
  /** What a client from before AG-UI 1.0 gets for a cancelled run. */
  CANCELLED: 'CANCELLED',
} as const;

/**
 * An error whose text is meant for the client. Thrown by an agent, a converter or a tool it becomes
 * `RUN_ERROR` with this message and code; any other error is masked.
 */
export class AguiError extends Error {
  override readonly name: string = 'AguiError';

  /** @param code machine-readable; default `INTERNAL_ERROR`. */
  constructor(
    message: string,
    readonly code: string = AguiErrorCode.INTERNAL_ERROR,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
