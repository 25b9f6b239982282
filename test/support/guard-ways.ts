import {
  Injectable,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { aguiConfig, AguiController, AguiModule } from 'nestjs-agui';
import { sayer } from './agents.js';
import type { RootOptions } from './module-app.js';

/** What passes the guard. */
export const TOKEN = { authorization: 'Bearer right' };

/** An application that is guarded in one of the ways there are. */
export interface Guarded {
  metadata: ModuleMetadata;
  configure?: (app: INestApplication) => unknown;
}

/** A guard of its own class, so that no application finds what another one left on it. */
function tokenGuard(): Type<CanActivate> {
  @Injectable()
  class TokenGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const { headers } = context.switchToHttp().getRequest<{
        headers: Record<string, string>;
      }>();
      if (headers.authorization !== TOKEN.authorization)
        throw new UnauthorizedException();
      return true;
    }
  }
  return TokenGuard;
}

const base: RootOptions = {
  listAgents: true,
  agents: { default: sayer('hello') },
};

const imports = (...modules: NonNullable<ModuleMetadata['imports']>) => ({
  metadata: { imports: modules },
});

function guardedController(): Type<AguiController> {
  @UseGuards(tokenGuard())
  class Guarded extends AguiController {}
  return Guarded;
}

/** Every way in which an application may put a guard on the routes. */
export const GUARD_WAYS: Record<string, () => Guarded> = {
  'a class in forRoot': () =>
    imports(AguiModule.forRoot({ ...base, guards: [tokenGuard()] })),
  'an instance in forRoot': () =>
    imports(AguiModule.forRoot({ ...base, guards: [new (tokenGuard())()] })),
  'a class beside useFactory': () =>
    imports(
      AguiModule.forRootAsync({
        useFactory: () => base,
        guards: [tokenGuard()],
      }),
    ),
  'an instance beside useFactory': () =>
    imports(
      AguiModule.forRootAsync({
        useFactory: () => base,
        guards: [new (tokenGuard())()],
      }),
    ),
  'a class from useFactory': () =>
    imports(
      AguiModule.forRootAsync({
        useFactory: () => Promise.resolve({ ...base, guards: [tokenGuard()] }),
      }),
    ),
  'an instance from useFactory': () =>
    imports(
      AguiModule.forRootAsync({
        useFactory: () => ({ ...base, guards: [new (tokenGuard())()] }),
      }),
    ),
  'a class from useClass': () => {
    @Injectable()
    class Options {
      create = (): RootOptions => ({ ...base, guards: [tokenGuard()] });
    }
    return imports(AguiModule.forRootAsync({ useClass: Options }));
  },
  'a class from useExisting': () => {
    @Injectable()
    class Options {
      create = (): RootOptions => ({ ...base, guards: [tokenGuard()] });
    }
    class OptionsModule {}
    return imports(
      AguiModule.forRootAsync({
        imports: [
          { module: OptionsModule, providers: [Options], exports: [Options] },
        ],
        useExisting: Options,
      }),
    );
  },
  'a class beside aguiConfig.asProvider()': () =>
    imports(
      AguiModule.forRootAsync({
        ...aguiConfig.asProvider(),
        guards: [tokenGuard()],
      }),
      AguiModule.forFeature({ agents: base.agents }),
    ),
  'UseGuards in forRoot': () =>
    imports(
      AguiModule.forRoot({ ...base, decorators: [UseGuards(tokenGuard())] }),
    ),
  'UseGuards beside useFactory': () =>
    imports(
      AguiModule.forRootAsync({
        useFactory: () => base,
        decorators: [UseGuards(tokenGuard())],
      }),
    ),
  'a controller in forRoot': () =>
    imports(AguiModule.forRoot({ ...base, controller: guardedController() })),
  'a controller beside useFactory': () =>
    imports(
      AguiModule.forRootAsync({
        useFactory: () => base,
        controller: guardedController(),
      }),
    ),
  APP_GUARD: () => ({
    metadata: {
      imports: [AguiModule.forRoot(base)],
      providers: [{ provide: APP_GUARD, useClass: tokenGuard() }],
    },
  }),
  useGlobalGuards: () => ({
    metadata: { imports: [AguiModule.forRoot(base)] },
    configure: (app) => app.useGlobalGuards(new (tokenGuard())()),
  }),
};
