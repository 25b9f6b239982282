import type { ByteSize } from './byte-size.js';
import type { Duration } from './duration.js';
import {
  ADAPTER_DEFAULTS,
  SubagentEvents,
} from './adapter/agui-adapter-config.js';
import { ToolMergeMode } from './agent/toolkit.js';
import { ConcurrentRuns } from './run/concurrent-runs.js';
import { Divergence } from './thread/divergence.js';
import {
  Bytes,
  Flag,
  Milliseconds,
  OneOf,
  Text,
  Texts,
  Whole,
} from './property.decorators.js';
import { ROUTE_PATH } from './route-path.js';

const FREE_HEADER =
  /^(?!(accept|authorization|connection|content|cookie|expect|host|origin|te|trailer|transfer-encoding|upgrade)(-|$))[\w\-!#$%&'*+.^`|~]+$/i;

/**
 * Every option that configuration may set: in code by these names, in YAML in kebab case under
 * `agui:`, in the environment in capitals after `AGUI_` (AgentScope: "Spring Boot Integration").
 */
export class AguiProperties {
  /** Where the routes are, below the application's global prefix. */
  @Text(ROUTE_PATH, 'a path such as /agui')
  pathPrefix: string = '/agui';

  /** Answers browsers of other origins; the application's own CORS comes first, if it has any. */
  @Flag()
  corsEnabled: boolean = true;

  /** The origins that may read the answers; `*` is any. Credentials are never allowed. */
  @Texts(
    /^(\*|null|[a-z][a-z\d+.-]*:\/\/[^/*\s]+)$/i,
    'a list of origins such as https://app.example.com, or *',
  )
  corsAllowedOrigins: string[] = ['*'];

  /** How long a run may take, in milliseconds or as a duration; 0 for no limit. */
  @Milliseconds()
  runTimeout: number = ADAPTER_DEFAULTS.runTimeout;

  /** How the front end's tools and the agent's own come together. */
  @OneOf(...Object.values(ToolMergeMode))
  defaultToolMergeMode: ToolMergeMode = ADAPTER_DEFAULTS.defaultToolMergeMode;

  /** Sends shared state when an agent changes it. */
  @Flag()
  emitStateEvents: boolean = ADAPTER_DEFAULTS.emitStateEvents;

  /** Sends the arguments of tool calls. */
  @Flag()
  emitToolCallArgs: boolean = ADAPTER_DEFAULTS.emitToolCallArgs;

  /** Sends token usage: an event `token_usage` per model call, and `usage` at the end of the run. */
  @Flag()
  emitTokenUsage: boolean = ADAPTER_DEFAULTS.emitTokenUsage;

  /** Sends the model's reasoning. */
  @Flag()
  enableReasoning: boolean = ADAPTER_DEFAULTS.enableReasoning;

  /** Sends `RUN_FINISHED` after `RUN_ERROR`, for clients that wait for it. AG-UI 1.0 forbids it. */
  @Flag()
  emitRunFinishedAfterError: boolean =
    ADAPTER_DEFAULTS.emitRunFinishedAfterError;

  /**
   * How subagents' events reach the client: as `CUSTOM` events, `native` like the agent's own, or
   * `attributed` by `SUBAGENT_*` events and `subagentRunId`.
   */
  @OneOf(...Object.values(SubagentEvents))
  subagentEvents: SubagentEvents = ADAPTER_DEFAULTS.subagentEvents;

  /** AgentScope's name for `subagentEvents: native`. */
  @Flag()
  emitSubagentEventsAsNative: boolean = false;

  /** Gives every event a `timestamp`. */
  @Flag()
  baseEventPropertiesEnricherEnabled: boolean =
    ADAPTER_DEFAULTS.baseEventPropertiesEnricherEnabled;

  /** Tells clients what an agent threw instead of a masked text. For development. */
  @Flag()
  exposeErrors: boolean = ADAPTER_DEFAULTS.exposeErrors;

  /**
   * Writes what runs are given and say into the log, at the level `debug`: texts, arguments, state.
   * Otherwise no line has any of it. For development.
   */
  @Flag()
  logPayloads: boolean = false;

  /** The agent of requests that name none. */
  @Text(/\S/, 'the id of an agent')
  defaultAgentId: string = 'default';

  /** Serves providers that are agents but have no `@AguiAgent`, each under its provider's name. */
  @Flag()
  serveUndecoratedAgents: boolean = true;

  /** The request header that names the agent. */
  @Text(FREE_HEADER, 'the name of a header with no other meaning')
  agentIdHeader: string = 'X-Agent-Id';

  /** Serves `{prefix}/run/:agentId`. */
  @Flag()
  enablePathRouting: boolean = true;

  /** Serves `GET {prefix}/agents`: the exposed agents and what they can do. */
  @Flag()
  listAgents: boolean = false;

  /** Keeps threads on the server: agents get only the messages they have not seen. */
  @Flag()
  serverSideMemory: boolean = false;

  /**
   * What becomes of messages that leave out or change what the server keeps: `truncate` forgets the
   * rest, `reject` refuses the run.
   */
  @OneOf(...Object.values(Divergence))
  divergence: Divergence = Divergence.TRUNCATE;

  /**
   * What becomes of a run whose thread has another one: `reject` refuses it, `queue` has it wait,
   * `cancel-previous` ends the other one.
   */
  @OneOf(...Object.values(ConcurrentRuns))
  concurrentRuns: ConcurrentRuns = ConcurrentRuns.REJECT;

  /** How much of a run's events is kept for those who connect later, in bytes or as a size. */
  @Bytes()
  eventLogLimit: number = 1024 ** 2;

  /** How many threads are kept; the one unused for longest goes first. */
  @Whole(1, 10_000_000)
  maxThreadSessions: number = 1000;

  /**
   * About how much memory the threads of this process may take, in bytes or as a size; the one
   * unused for longest goes first.
   */
  @Bytes()
  maxThreadMemory: number = 256 * 1024 ** 2;

  /** How long an unused thread is kept, in minutes. */
  @Whole(1, 525_600)
  sessionTimeoutMinutes: number = 30;

  /** How long one response may stay open, in milliseconds or as a duration; 0 for no limit. */
  @Milliseconds()
  sseTimeout: number = 600_000;

  /** How long a client may take nothing of what waits for it before it is dropped, in milliseconds or as a duration; 0 for no limit. */
  @Milliseconds()
  slowClientTimeout: number = 120_000;

  /** Stops the agent when the client leaves; otherwise it runs on. */
  @Flag()
  interruptOnDisconnect: boolean = true;

  /** After how much silence a comment keeps the stream alive, in milliseconds or as a duration; 0 for never. */
  @Milliseconds()
  heartbeatInterval: number = 15_000;

  /** The largest request that is read, in bytes or as a size. */
  @Bytes()
  bodyLimit: number = 10 * 1024 ** 2;

  /** How long a client may take to send its request, in milliseconds or as a duration; 0 for no limit. */
  @Milliseconds()
  bodyTimeout: number = 120_000;

  /** The schemes of addresses at which files in messages may be; whatever they are, no address inside the server's network is allowed. */
  @Texts(
    /^[a-z][a-z\d+.-]*$/,
    'a list of URL schemes such as https, data, in small letters',
  )
  allowedMediaSchemes: string[] = ['https', 'data'];

  /** How long closing the application waits for open streams, in milliseconds or as a duration. */
  @Milliseconds()
  shutdownGrace: number = 5_000;
}

/** The properties as they are given: all optional, durations and sizes also as text. */
export type AguiPropertiesInput = Partial<
  Omit<AguiProperties, DurationProperty | SizeProperty> &
    Record<DurationProperty, Duration> &
    Record<SizeProperty, ByteSize>
>;

type SizeProperty = 'bodyLimit' | 'eventLogLimit' | 'maxThreadMemory';

type DurationProperty =
  | 'runTimeout'
  | 'sseTimeout'
  | 'slowClientTimeout'
  | 'heartbeatInterval'
  | 'bodyTimeout'
  | 'shutdownGrace';
