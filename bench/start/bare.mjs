import { measureStart } from './measure.mjs';

await measureStart(({ Module, Controller, Get }) => {
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
  class AppModule {}
  Module({ controllers: [AppController] })(AppModule);
  return AppModule;
});
