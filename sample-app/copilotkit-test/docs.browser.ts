import { expect, it } from 'vitest';
import { compileShown } from '../browser-test/support/shown-code.js';
import { PAGE } from './support/page-server.js';

it('The front ends of the documentation should compile', () => {
  const documents = ['README.md', 'docs/copilotkit.md'];
  expect(compileShown(documents, PAGE)).toEqual({ count: 5, problems: [] });
});
