import { memo, useState } from 'react';
import type { WireEntry } from './wire-log';

/** One entry, with what is in it on demand. */
export const WireRow = memo(function WireRow({ entry }: { entry: WireEntry }) {
  const [isOpen, setOpen] = useState(false);
  const { direction, type, time, bytes, json } = entry;
  return (
    <li data-direction={direction}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="wire-arrow" aria-hidden="true">
            {direction === 'out' ? '↑' : '↓'}
          </span>
          <span className="wire-type">{type}</span>
          <span className="wire-time">{time.toFixed(0)} ms</span>
          <span className="wire-bytes">{bytes} B</span>
        </summary>
        {isOpen && <pre tabIndex={0}>{pretty(json)}</pre>}
      </details>
    </li>
  );
});

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
