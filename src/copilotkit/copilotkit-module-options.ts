import { inspect } from 'node:util';
import { AguiConfigurationError } from '../agui-properties.parser.js';
import { ROUTE_PATH } from '../route-path.js';

/** What was given to the module. */
export const COPILOTKIT_GIVEN_OPTIONS = 'AGUI:COPILOTKIT_GIVEN_OPTIONS';
/** The same, checked. */
export const COPILOTKIT_OPTIONS = 'AGUI:COPILOTKIT_OPTIONS';
/** The controller class of one registration. */
export const COPILOTKIT_CONTROLLER = 'AGUI:COPILOTKIT_CONTROLLER';

/** What `CopilotKitModule.forRoot()` takes. */
export interface CopilotKitModuleOptions {
  /** The path of `runtimeUrl`, below the application's global prefix. Default `/api/copilotkit`. */
  basePath?: string;
  /**
   * Stops an agent when its client leaves. Default false: CopilotKit's clients say so when they want a
   * run stopped, and one that reloads its page comes back for the rest.
   */
  interruptOnDisconnect?: boolean;
}

/** What options may be, and how that is told. */
const OPTIONS: Record<
  keyof CopilotKitModuleOptions,
  [allowed: string, isAllowed: (value: unknown) => boolean]
> = {
  basePath: [
    'a path such as /api/copilotkit',
    (value) => typeof value === 'string' && ROUTE_PATH.test(value),
  ],
  interruptOnDisconnect: [
    'true or false',
    (value) => typeof value === 'boolean',
  ],
};

/** @throws AguiConfigurationError for an option there is not, or a wrong value. */
export function checked(given: unknown): CopilotKitModuleOptions {
  if (typeof given !== 'object' || given === null)
    throw new AguiConfigurationError([
      `The options of CopilotKitModule are ${inspect(given)}; whatever gives them must return an object.`,
    ]);
  const problems = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => {
      if (!Object.hasOwn(OPTIONS, name))
        return `"${name}" is no option of CopilotKitModule. The options are ${Object.keys(OPTIONS).join(', ')}.`;
      const [allowed, isAllowed] =
        OPTIONS[name as keyof CopilotKitModuleOptions];
      return isAllowed(value)
        ? []
        : `"${name}" of CopilotKitModule is ${inspect(value)}; allowed: ${allowed}.`;
    });
  if (problems.length > 0) throw new AguiConfigurationError(problems);
  return given;
}
