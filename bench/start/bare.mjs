import { measureStart } from './measure.mjs';

await measureStart(({ Module }, AppController) => {
  class AppModule {}
  Module({ controllers: [AppController] })(AppModule);
  return AppModule;
});
