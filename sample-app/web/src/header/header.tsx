import type { Routing } from '../agent/sample-agent';
import type { ListedAgent } from '../server/sample';
import { useTheme } from './theme';

interface HeaderProps {
  agents: readonly ListedAgent[];
  agentId: string;
  onAgent: (agentId: string) => void;
  routing: Routing;
  onRouting: (routing: Routing) => void;
  onNewThread: () => void;
  drawer: boolean;
  onDrawer: () => void;
}

export function Header(props: HeaderProps) {
  const [theme, setTheme] = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <header className="header">
      <h1 className="brand">
        nestjs-agui<span className="brand-note"> sample</span>
      </h1>
      <label className="field">
        <span>Agent</span>
        <select
          aria-label="Agent"
          value={props.agentId}
          onChange={({ target }) => props.onAgent(target.value)}
        >
          {props.agents.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <fieldset className="switch">
        <legend className="hidden">How requests name the agent</legend>
        <Route {...props} value="path" title={`/agui/run/${props.agentId}`} />
        <Route {...props} value="header" title="X-Agent-Id" />
      </fieldset>
      <div className="header-buttons">
        <button type="button" onClick={props.onNewThread}>
          New thread
        </button>
        <button
          type="button"
          aria-pressed={props.drawer}
          onClick={props.onDrawer}
        >
          Wire
        </button>
        <button
          type="button"
          className="icon"
          aria-label={`Use ${other} colours`}
          onClick={() => setTheme(other)}
        >
          {theme === 'dark' ? '☀' : '☾'}
        </button>
      </div>
    </header>
  );
}

function Route({
  value,
  title,
  routing,
  onRouting,
}: HeaderProps & { value: Routing; title: string }) {
  return (
    <label title={title}>
      <input
        type="radio"
        name="routing"
        value={value}
        checked={routing === value}
        onChange={() => onRouting(value)}
      />
      <span>{value}</span>
    </label>
  );
}
