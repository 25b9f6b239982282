import { readFile } from 'node:fs/promises';
import { Controller, Get, Header, NotFoundException } from '@nestjs/common';
import { modelName } from '../model.js';
import { PageBuild } from './page-build.js';
import { pageNotice } from './page-notice.js';
import { INDEX_FILE, KEEPER_FILE } from './page-paths.js';

/** The page, and what it asks of the sample besides its agents. */
@Controller()
export class PageController {
  constructor(private readonly build: PageBuild) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  async page(): Promise<string> {
    const html = await textOf(INDEX_FILE);
    return html ?? pageNotice(this.build.problem, this.build.isRunning);
  }

  /** Must be beside the page: a service worker sees only what is below it. */
  @Get('keeper.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  async keeper(): Promise<string> {
    const script = await textOf(KEEPER_FILE);
    if (script === undefined) throw new NotFoundException();
    return script;
  }

  /** The model of all agents; null for the one that stands in for a model. */
  @Get('sample.json')
  sample(): { model: string | null } {
    return { model: modelName() ?? null };
  }
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
