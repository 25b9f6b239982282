import { readFileSync } from 'node:fs';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The main entry without what it depends on; peers are left out by size-limit itself. */
const entry = {
  path: 'dist/index.js',
  ignore: Object.keys(dependencies),
  modifyEsbuildConfig: (config) => ({ ...config, platform: 'node' }),
};

export default [
  { ...entry, name: 'Minified and compressed', limit: '60 kB' },
  { ...entry, name: 'Minified', brotli: false, limit: '170 kB' },
];
