/** A provider that is marked as something it is not; it stops the application's start. */
export class InvalidExtensionError extends Error {
  override readonly name = 'InvalidExtensionError';

  constructor(name: string, problem: string) {
    super(`The provider ${name} ${problem}`);
  }
}
