// npm run bench -- --only=a,c --rounds=3 --contenders=plain,ours-express --slow --profile --no-build
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONTENDERS } from './rounds.mjs';
import { keepInReadme } from './readme.mjs';
import { hottest } from './profile.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    contenders: { type: 'string', default: CONTENDERS.join(',') },
    slow: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const only = values.only?.split(',');
const tables = [];

if (!values['no-build'])
  execFileSync('npm', ['run', 'build'], { cwd: here('..'), stdio: 'ignore' });
// A copy, so that nobody's next build disturbs the measurement.
rmSync(here('dist'), { recursive: true, force: true });
cpSync(here('../dist'), here('dist'), { recursive: true });

const machine = `Node ${process.version}, ${cpus().length} cores, ${values.rounds} rounds.`;
console.log(`${machine}\n`);
for (const file of readdirSync(here('works')).sort()) {
  const name = file.split('-')[0];
  if (only !== undefined && !only.includes(name)) continue;
  const work = await import(`./works/${file}`);
  console.log(`### ${work.title}\n`);
  const text = await work.run({
    rounds: Number(values.rounds),
    contenders: values.contenders.split(','),
    slow: values.slow,
    profile: values.profile ? profiler(name) : undefined,
  });
  console.log(`${text}\n`);
  tables.push(`### ${work.title}\n\n${text}`);
}
const whole = only === undefined && values.contenders === CONTENDERS.join(',');
if (whole) keepInReadme([machine, ...tables].join('\n\n'));

/** Keeps a profile, and says what was hottest. */
function profiler(work) {
  mkdirSync(here('profiles'), { recursive: true });
  return (contender, profile) => {
    const file = here(`profiles/${work}-${contender}.cpuprofile`);
    writeFileSync(file, JSON.stringify(profile));
    console.log(`${contender}, self time:\n${hottest(profile)}\n`);
  };
}
