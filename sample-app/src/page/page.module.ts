import { Module } from '@nestjs/common';
import { PageBuild } from './page-build.js';
import { PageController } from './page.controller.js';

/** The sample's page at `/`; what it consists of is served by {@link servePageAssets}. */
@Module({ controllers: [PageController], providers: [PageBuild] })
export class PageModule {}
