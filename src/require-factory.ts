import { AguiConfigurationError } from './agui-properties.parser.js';

/**
 * Nest itself takes asynchronous options without a source, and then has none.
 *
 * @throws AguiConfigurationError if there is none.
 */
export function requireFactory(
  module: string,
  options: {
    useFactory?: unknown;
    useClass?: unknown;
    useExisting?: unknown;
  },
): void {
  if (!options.useFactory && !options.useClass && !options.useExisting)
    throw new AguiConfigurationError([
      `${module}.forRootAsync() needs useFactory, useClass or useExisting.`,
    ]);
}
