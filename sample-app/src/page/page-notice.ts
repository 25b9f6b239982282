/** The page while there is none: it says why, and looks again by itself while there is hope. */
export function pageNotice(problem: string | undefined, waits: boolean) {
  const text = waits
    ? 'The page is being installed and built; that takes about a minute, once. The agents are served already.'
    : 'The page has not been built. <code>npm run build:web</code> builds it; the agents are served all the same.';
  const why = problem === undefined ? '' : `<pre>${escaped(problem)}</pre>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${waits ? '<meta http-equiv="refresh" content="2">' : ''}
<title>nestjs-agui</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 15vh auto; padding: 0 1.5rem }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px }
</style>
<h1>nestjs-agui</h1>
<p>${text}</p>
${why}
<p><a href="/agui/agents">/agui/agents</a> lists the agents.</p>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
