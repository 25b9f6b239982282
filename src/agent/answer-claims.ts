/**
 * Lets an agent make sure that an answer is acted upon once: found in the run's context by its class
 * (`context.get(AnswerClaims)`), when answers to interrupts of this server have come in.
 */
export class AnswerClaims {
  constructor(
    private readonly take: (toolCallId: string) => Promise<boolean>,
  ) {}

  /**
   * To be asked right before a call that was answered is acted upon. False if another run has done so:
   * then nothing may be done. A claimed answer counts as given even if the run fails later.
   */
  claim(toolCallId: string): Promise<boolean> {
    return this.take(toolCallId);
  }
}
