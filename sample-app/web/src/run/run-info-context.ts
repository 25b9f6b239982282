import { createContext, use, useSyncExternalStore } from 'react';
import type { RunFacts, RunInfo } from './run-info';

export const RunInfoContext = createContext<RunInfo | undefined>(undefined);

export function useRunFacts(): RunFacts {
  const info = use(RunInfoContext)!;
  return useSyncExternalStore(info.subscribe, info.snapshot);
}
