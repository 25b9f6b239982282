import { useEffect, useState } from 'react';
import { Header } from './header/header';
import { loadSample, type Sample } from './server/sample';
import { Session } from './session/session';
import { useThread } from './session/use-thread';
import { WireDrawer } from './wire/wire-drawer';
import { WireLog } from './wire/wire-log';
import type { Routing } from './agent/sample-agent';

const wire = new WireLog();

export function App() {
  const [sample, setSample] = useState<Sample>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    loadSample().then(setSample, (error: Error) => setProblem(error.message));
  }, []);
  if (problem !== undefined)
    return (
      <main className="notice" role="alert">
        <h1>The agents cannot be reached</h1>
        <p>{problem}</p>
        <p>
          Is the sample still running? Start it with <code>npm start</code>,
          then <a href="/">load this page again</a>.
        </p>
      </main>
    );
  if (sample === undefined)
    return <main className="notice" aria-busy="true" aria-label="Loading" />;
  return <Sampled sample={sample} />;
}

function Sampled({ sample }: { sample: Sample }) {
  const { thread, show } = useThread(sample.agents, wire);
  const [routing, setRouting] = useState<Routing>('path');
  const [drawer, setDrawer] = useState(false);
  if (thread === undefined)
    return <main className="notice" aria-busy="true" aria-label="Loading" />;
  return (
    <div className="page" data-drawer={drawer || undefined}>
      <Header
        agents={sample.agents}
        agentId={thread.agentId}
        onAgent={(agentId) => show({ agentId })}
        routing={routing}
        onRouting={setRouting}
        onNewThread={() => show({ agentId: thread.agentId })}
        drawer={drawer}
        onDrawer={() => setDrawer(!drawer)}
      />
      <Session
        key={thread.threadId}
        thread={thread}
        model={sample.model}
        routing={routing}
        wire={wire}
      />
      {drawer && <WireDrawer wire={wire} onClose={() => setDrawer(false)} />}
    </div>
  );
}
