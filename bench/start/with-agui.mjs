import { measureStart } from './measure.mjs';

await measureStart(async ({ Module }, AppController) => {
  const { AguiModule, AguiAgent } = await import('../dist/index.js');
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
