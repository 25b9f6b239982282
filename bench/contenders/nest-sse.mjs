// What NestJS users would write: a controller with @Sse(), RxJS and AG-UI's encoder.
import 'reflect-metadata';
import { EventEncoder } from '@ag-ui/encoder';
import { Body, Controller, Module, RequestMethod, Sse } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { from, map } from 'rxjs';
import { aguiEvents } from '../agent.mjs';
import { decorate, decorateMethod, decorateParameter } from './decorate.mjs';
import { serve } from './serve.mjs';

class RunController {
  encoder = new EventEncoder();

  run(input) {
    return from(aguiEvents(input)).pipe(
      // Nest writes "data: " and the empty line itself.
      map((event) => ({ data: this.encoder.encodeSSE(event).slice(6, -2) })),
    );
  }
}
decorate(RunController, Controller());
decorateMethod(
  RunController,
  'run',
  // Lifted, as the 100,000 events of one run would end the connection.
  Sse('run', { method: RequestMethod.POST, maxPendingDataLength: 0 }),
);
decorateParameter(RunController, 'run', 0, Body());

class AppModule {}
decorate(AppModule, Module({ controllers: [RunController] }));

await serve(async () => {
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  app.useBodyParser('json', { limit: '10mb' });
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port, path: '/run' };
});
