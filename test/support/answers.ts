interface Question {
  id: number;
  question: string;
  detail: unknown;
}

type Answers = Record<string, (detail: never) => unknown>;

/** Answers the questions of the process that has started this one. */
export function answers(known: Answers): void {
  const reply = async ({ id, question, detail }: Question) => {
    try {
      const value = await known[question]!(detail as never);
      process.send!({ id, value });
    } catch (error) {
      process.send!({ id, error: String(error) });
    }
  };
  process.on('message', (question: Question) => void reply(question));
  // Nobody is left to end this process.
  process.once('disconnect', () => process.exit());
}
