import { RedisScript } from './redis-script.js';

/**
 * The keys of a thread, in the order in which every script is given them:
 *
 * - `lease`: the run that has the thread: `token`, `runId`, `server`, `cancel`
 * - `thread`: the record: `lastRunId`, and what is JSON: `agentId`, `branch`, `mustAnswer` …
 * - `open`, `answered`: interrupts by their ids
 * - `run`: the conversation that the run's events go on from: `runId`, `messages`, `state`
 * - `log`: a stream of the run's events, behind the last ones of the run before: `n` counts the entries,
 *   `events`, `end` at the last, `first` at those that go on from `run` and repeat what is open
 */
export const KEYS = [
  'lease',
  'thread',
  'open',
  'answered',
  'run',
  'log',
] as const;

const NAMES = `local lease, thread, open, answered, run, log = ${KEYS.map((_, n) => `KEYS[${n + 1}]`).join(', ')}\n`;

function script(text: string): RedisScript {
  return new RedisScript(NAMES + text);
}

/** token, runId, server, lease's ms, thread's ms → the record, or nothing while another run has the thread */
export const BEGIN = script(`
  if redis.call('EXISTS', lease) == 1 then return false end
  redis.call('HSET', lease, 'token', ARGV[1], 'runId', ARGV[2], 'server', ARGV[3])
  redis.call('PEXPIRE', lease, ARGV[4])
  redis.call('DEL', run)
  for _, key in ipairs({ thread, open, answered }) do redis.call('PEXPIRE', key, ARGV[5]) end
  return { redis.call('HGETALL', thread), redis.call('HVALS', open), redis.call('HVALS', answered) }
`);

/** → the record, the id of the run that has the thread, the run's start and its log */
export const READ = script(`
  return {
    redis.call('HGETALL', thread), redis.call('HVALS', open), redis.call('HVALS', answered),
    redis.call('HGET', lease, 'runId'), redis.call('HGETALL', run), redis.call('XRANGE', log, '-', '+')
  }
`);

/** token, runId, thread's ms, how many entries of the log are kept, n, events, messages and state as fields */
export const START = script(`
  if redis.call('HGET', lease, 'token') ~= ARGV[1] then return 0 end
  redis.call('HSET', thread, 'lastRunId', ARGV[2])
  redis.call('DEL', run)
  redis.call('HSET', run, 'runId', ARGV[2], unpack(ARGV, 7))
  redis.call('XTRIM', log, 'MAXLEN', ARGV[4])
  redis.call('XADD', log, '*', 'n', ARGV[5], 'events', ARGV[6], 'first', 1)
  for _, key in ipairs({ thread, run, log }) do redis.call('PEXPIRE', key, ARGV[3]) end
  return 1
`);

/** token, thread's ms, channel, n, events */
export const ADD = script(`
  if redis.call('HGET', lease, 'token') ~= ARGV[1] then return 0 end
  redis.call('XADD', log, '*', 'n', ARGV[4], 'events', ARGV[5])
  redis.call('PEXPIRE', log, ARGV[2])
  redis.call('PUBLISH', ARGV[3], 'events')
  return 1
`);

/** an interrupt's id → whether it was open */
export const CLAIM = script(`
  local interrupt = redis.call('HGET', open, ARGV[1])
  if not interrupt then return 0 end
  redis.call('HDEL', open, ARGV[1])
  redis.call('HSET', answered, ARGV[1], interrupt)
  redis.call('PEXPIRE', answered, math.max(redis.call('PTTL', thread), 1000))
  return 1
`);

/**
 * token, runId, server, lease's ms → 'kept', 'lost' if it was gone, 'cancel' if somebody wants
 * that, 'taken' if another run has the thread
 */
export const RENEW = script(`
  local holder = redis.call('HGET', lease, 'token')
  if holder and holder ~= ARGV[1] then return 'taken' end
  redis.call('HSET', lease, 'token', ARGV[1], 'runId', ARGV[2], 'server', ARGV[3])
  redis.call('PEXPIRE', lease, ARGV[4])
  return redis.call('HGET', lease, 'cancel') or (holder and 'kept' or 'lost')
`);

/** a run's id, or '' for whichever → 'cancelled', 'over' or 'unknown' */
export const CANCEL = script(`
  local runId, token, server = unpack(redis.call('HMGET', lease, 'runId', 'token', 'server'))
  if runId and (ARGV[1] == '' or ARGV[1] == runId) then
    redis.call('HSET', lease, 'cancel', 'cancel')
    redis.call('PUBLISH', server, token)
    return 'cancelled'
  end
  local last = redis.call('HGET', thread, 'lastRunId')
  if last and (ARGV[1] == '' or ARGV[1] == last) then return 'over' end
  return 'unknown'
`);

/**
 * token, thread's ms, log's ms, channel, n, events, how many fields of the record, fields …, and if the
 * interrupts change: how many are open, ids and interrupts …, those answered likewise → 0 if another run has the thread
 */
export const END = script(`
  local holder = redis.call('HGET', lease, 'token')
  if holder and holder ~= ARGV[1] then return 0 end
  redis.call('XADD', log, '*', 'n', ARGV[5], 'events', ARGV[6], 'end', 1)
  local at = 8
  for _ = 1, ARGV[7] do
    if ARGV[at + 1] == '' then redis.call('HDEL', thread, ARGV[at])
    else redis.call('HSET', thread, ARGV[at], ARGV[at + 1]) end
    at = at + 2
  end
  for _, key in ipairs({ open, answered }) do
    if ARGV[at] and ARGV[at] ~= '' then
      redis.call('DEL', key)
      local count = tonumber(ARGV[at])
      for n = 1, count do redis.call('HSET', key, ARGV[at + 2 * n - 1], ARGV[at + 2 * n]) end
      at = at + 2 * count
    end
    at = at + 1
  end
  redis.call('DEL', lease)
  for _, key in ipairs({ thread, open, answered }) do redis.call('PEXPIRE', key, ARGV[2]) end
  for _, key in ipairs({ run, log }) do redis.call('PEXPIRE', key, ARGV[3]) end
  redis.call('PUBLISH', ARGV[4], 'free')
  return 1
`);

/** a run's id, the id of the last entry that was read → whether the run has the thread still, and what came since */
export const FOLLOW = script(`
  local entries = redis.call('XRANGE', log, '(' .. ARGV[2], '+')
  return { redis.call('HGET', lease, 'runId') == ARGV[1] and 1 or 0, entries }
`);
