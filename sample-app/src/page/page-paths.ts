import { fileURLToPath } from 'node:url';

const inWeb = (path: string) =>
  fileURLToPath(new URL(`../../web/${path}`, import.meta.url));

/** Installs what the page needs and builds it, if that is to be done. */
export const BUILD_SCRIPT = inWeb('build.mjs');

/** What the build makes. */
export const INDEX_FILE = inWeb('dist/index.html');
export const KEEPER_FILE = inWeb('dist/keeper.js');
export const ASSETS_FOLDER = inWeb('dist/assets/');
