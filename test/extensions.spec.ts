import { afterEach, describe, expect, it } from 'vitest';
import {
  closeApps,
  PLATFORMS,
  type Platform,
  type TestApp,
} from './support/app.js';
import { startWith } from './support/extension-app.js';
import { FORMS, type Given } from './support/extension-forms.js';
import { KINDS, type Kind } from './support/extension-kinds.js';
import type { RootOptions } from './support/module-app.js';

afterEach(closeApps);

/** An application with one extension of each kind, given in one form. */
function startAll(
  platform: Platform,
  giveAs: (kind: Kind, label: string) => Given,
) {
  const given = KINDS.map((kind) => giveAs(kind, kind.label));
  return startWith(platform, {
    providers: given.flatMap(({ providers = [] }) => providers),
    imports: given.flatMap(({ imports = [] }) => imports),
    options: Object.assign(
      {},
      ...given.map(({ options }) => options),
    ) as RootOptions,
  });
}

async function seenOf(app: TestApp): Promise<Record<string, string[]>> {
  const seen = await Promise.all(KINDS.map((kind) => kind.seen(app)));
  return Object.fromEntries(KINDS.map(({ name }, at) => [name, seen[at]!]));
}

describe.each(PLATFORMS)('Extensions on %s', (platform) => {
  it.each(Object.entries(FORMS))(
    'should be found once as %s',
    async (_form, giveAs) => {
      const app = await startAll(platform, giveAs);
      const once = Object.fromEntries(
        KINDS.map(({ name, label }) => [name, [label]]),
      );
      expect(await seenOf(app)).toEqual(once);
    },
  );
});
