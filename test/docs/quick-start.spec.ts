import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.js';
import { inputOf, post, run, textOf } from '../support/client.js';
import { blocks } from '../support/markdown.js';
import { readme, useDocumentedCode } from '../support/documentation.js';

describe('The quick start of the README', () => {
  const { classes, runFrontEnd } = useDocumentedCode('quick-start');

  async function quickStart() {
    const imports = await classes({ AppModule: 'app.module.ts' });
    return startApp('express', { imports });
  }

  it('that answers what it says', async () => {
    const curl = blocks('sh', readme).find((code) => code.startsWith('curl'))!;
    const response = await post(
      await quickStart(),
      /-d '([\s\S]*)'/.exec(curl)![1]!,
    );
    expect((await response.text()).trim()).toBe(
      blocks('text', readme)
        .find((code) => code.startsWith('data:'))!
        .trim(),
    );
  });

  it('that answers who says nothing, too', async () => {
    const app = await quickStart();
    expect(textOf(await run(app, inputOf({ messages: [] })))).toBe(
      'Hello, you!',
    );
  });

  it('with a front end', async () => {
    const { url } = await quickStart();
    expect(await runFrontEnd('front-end.ts', url)).toMatchObject([
      [{ id: 'reply-1', role: 'assistant', content: 'Hello, Ada!' }],
    ]);
  });

  it('and a front end that follows what is said', async () => {
    const { url } = await quickStart();
    expect(await runFrontEnd('asking.ts', url)).toEqual(['Hello, Ada!']);
  });

  it('and a front end that gets its thread back', async () => {
    const app = await quickStart();
    await run(app, inputOf({ threadId: 'thread-1' }));
    expect(await runFrontEnd('reconnecting.ts', app.url)).toMatchObject([
      [{ content: 'Hi' }, { id: 'reply-1', content: 'Hello, Hi!' }],
      {},
    ]);
  });
});
