import { useCallback, useEffect, useState } from 'react';
import type { ListedAgent } from '../server/sample';
import type { WireLog } from '../wire/wire-log';
import { readAddress, writeAddress, type Address } from './address';
import { openThread, type OpenThread } from './open-thread';

/** The thread that the page shows. */
export interface Thread {
  agentId: string;
  threadId: string;
  /** What the server knows of it already. */
  restored?: OpenThread;
  /** Something that the user should know about it. */
  notice?: string;
}

/** The thread that the address names, or a new one. */
export function useThread(agents: readonly ListedAgent[], wire: WireLog) {
  const [thread, setThread] = useState<Thread>();
  const show = useCallback(
    async ({ agentId, threadId }: Address) => {
      const known = agents.find(({ id }) => id === agentId) ?? agents[0];
      const fresh = {
        agentId: known?.id ?? 'default',
        threadId: crypto.randomUUID(),
      };
      if (threadId === undefined) {
        writeAddress({ agentId: fresh.agentId });
        return setThread(fresh);
      }
      try {
        const restored = await openThread(threadId, wire);
        if (restored) return setThread({ ...fresh, threadId, restored });
        writeAddress({ agentId: fresh.agentId });
        const notice =
          'The server no longer has the conversation of this address, so here is a new one.';
        setThread({ ...fresh, notice });
      } catch (error) {
        setThread({ ...fresh, notice: (error as Error).message });
      }
    },
    [agents, wire],
  );
  useEffect(() => {
    const follow = () => void show(readAddress());
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [show]);
  return { thread, show };
}
