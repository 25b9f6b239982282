import {
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { WireRow } from './wire-row';
import type { WireEntry, WireLog } from './wire-log';

/** What goes over the wire: every event, as it is, with its time and size. */
export function WireDrawer({
  wire,
  onClose,
}: {
  wire: WireLog;
  onClose: () => void;
}) {
  const entries = useSyncExternalStore(wire.subscribe, wire.snapshot);
  const [filter, setFilter] = useState('');
  const [copied, setCopied] = useState(false);
  const shown = useMemo(() => filtered(entries, filter), [entries, filter]);
  const bytes = shown.reduce((sum, one) => sum + one.bytes, 0);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const { current } = list;
    if (current && isAtEnd(current)) current.scrollTop = current.scrollHeight;
  }, [shown.length]);
  const copy = async () => {
    const lines = shown.map(({ json }) => json).join('\n');
    await navigator.clipboard.writeText(lines);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <aside className="wire" aria-label="Wire">
      <div className="wire-bar">
        <h2>Wire</h2>
        <span className="wire-sum">
          {shown.length} entries · {bytes} bytes
        </span>
        <button type="button" onClick={onClose} aria-label="Close the wire">
          ✕
        </button>
      </div>
      <div className="wire-bar">
        <input
          type="search"
          aria-label="Filter"
          placeholder="Filter, such as TOOL_CALL"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <button type="button" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" onClick={() => wire.clear()}>
          Clear
        </button>
      </div>
      {shown.length === 0 ? (
        <p className="wire-empty">
          {entries.length === 0
            ? 'Nothing has been sent yet. Say something, and its events appear here.'
            : 'No event has this in it.'}
        </p>
      ) : (
        <ol ref={list} className="wire-list" tabIndex={0} aria-label="Events">
          {shown.map((entry) => (
            <WireRow key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </aside>
  );
}

function filtered(entries: readonly WireEntry[], filter: string) {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return entries;
  return entries.filter(
    ({ type, json }) =>
      type.toLowerCase().includes(wanted) ||
      json.toLowerCase().includes(wanted),
  );
}

/** Who has scrolled up to read is left there. */
function isAtEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement) {
  return scrollHeight - scrollTop - clientHeight < 160;
}
