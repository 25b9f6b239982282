// How long the import and the init of an application take.
/** @param makeModule imports what the application needs besides its controller, and returns its module. */
export async function measureStart(makeModule) {
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  await import('reflect-metadata');
  const { NestFactory } = await import('@nestjs/core');
  const common = await import('@nestjs/common');
  await import('@nestjs/platform-express');
  const module = await makeModule(common, makeController(common));
  const app = await NestFactory.create(module, { logger: false });
  await app.init();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBefore);
  process.on('disconnect', () => process.exit());
  process.send({ ready: { wall, cpu: (user + system) / 1000 } });
}

function makeController({ Controller, Get }) {
  class AppController {
    hello() {
      return 'hello';
    }
  }
  Controller()(AppController);
  const { prototype } = AppController;
  Get()(
    prototype,
    'hello',
    Object.getOwnPropertyDescriptor(prototype, 'hello'),
  );
  return AppController;
}
