// This module, as built, on one of Nest's platforms: bare, or extended by what applications add.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AguiAgent, AguiModule } from '../dist/index.js';
import { agentEvents } from '../agent-events.mjs';
import { decorate } from './decorate.mjs';
import { EXTENSIONS } from './extensions.mjs';
import { serve } from './serve.mjs';

class BenchAgent {
  streamEvents(_messages, context) {
    return agentEvents(context.get('agui.input'));
  }
}
decorate(BenchAgent, AguiAgent('default'));

/** The application's module. */
export function appModule(extended, options) {
  class AppModule {}
  decorate(
    AppModule,
    Module({
      imports: [AguiModule.forRoot({ enableReasoning: true, ...options })],
      providers: [BenchAgent, ...(extended ? EXTENSIONS : [])],
    }),
  );
  return AppModule;
}

/** @param makeAdapter returns the platform's adapter. */
export const serveOurs = (makeAdapter, extended = false) =>
  serve(async () => {
    const app = await NestFactory.create(appModule(extended), makeAdapter(), {
      logger: ['error'],
    });
    await app.listen(0, '127.0.0.1');
    return { port: app.getHttpServer().address().port, path: '/agui/run' };
  });
