import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { compileShown } from './support/shown-code.js';

it("The documentation's front end of assistant-ui should compile", () => {
  const page = fileURLToPath(new URL('../web', import.meta.url));
  const documents = ['docs/front-ends.md'];
  expect(compileShown(documents, page)).toEqual({ count: 1, problems: [] });
});
