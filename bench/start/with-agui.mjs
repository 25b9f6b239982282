import { measureStart } from './measure.mjs';

await measureStart(async ({ Module, Controller, Get }) => {
  const { AguiModule, AguiAgent } = await import('../dist/index.js');
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
  class BenchAgent {
    async *streamEvents() {}
  }
  AguiAgent('default')(BenchAgent);
  class AppModule {}
  Module({
    imports: [AguiModule.forRoot()],
    providers: [BenchAgent],
    controllers: [AppController],
  })(AppModule);
  return AppModule;
});
