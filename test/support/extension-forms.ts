import {
  Inject,
  Injectable,
  Scope,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { AguiModule, provideExtension } from 'nestjs-agui';
import { plainOf, type Kind } from './extension-kinds.js';
import type { RootOptions } from './module-app.js';

/** What an application gives of its extensions. */
export interface Given {
  providers?: Provider[];
  imports?: ModuleMetadata['imports'];
  options?: RootOptions;
}

/** The class of a kind, decorated, with whatever other decorators. */
export function decorated(
  kind: Kind,
  label: string,
  ...decorators: ClassDecorator[]
): Type {
  const type = kind.define(label);
  Injectable()(type);
  for (const decorate of [kind.decorator(label), ...decorators]) decorate(type);
  return type;
}

@Injectable({ scope: Scope.REQUEST })
class RequestScopedService {
  constructor(@Inject(REQUEST) readonly request: unknown) {}
}

/** Every way in which an application may give one extension. */
export const FORMS: Record<string, (kind: Kind, label: string) => Given> = {
  'a class': (kind, label) => ({ providers: [decorated(kind, label)] }),
  'useClass under another token': (kind, label) => ({
    providers: [
      { provide: `token of ${kind.name}`, useClass: decorated(kind, label) },
    ],
  }),
  useFactory: (kind, label) => ({
    providers: [
      {
        provide: `token of ${kind.name}`,
        useFactory: () => new (decorated(kind, label))() as object,
      },
    ],
  }),
  'an async useFactory': (kind, label) => ({
    providers: [
      {
        provide: `token of ${kind.name}`,
        useFactory: async () => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          return new (decorated(kind, label))() as object;
        },
      },
    ],
  }),
  useValue: (kind, label) => ({
    providers: [
      {
        provide: `token of ${kind.name}`,
        useValue: new (decorated(kind, label))() as object,
      },
    ],
  }),
  'an alias beside it': (kind, label) => {
    const type = decorated(kind, label);
    return {
      providers: [
        { provide: `before of ${kind.name}`, useExisting: type },
        type,
        { provide: `after of ${kind.name}`, useExisting: type },
      ],
    };
  },
  'a request-scoped class': (kind, label) => ({
    providers: [decorated(kind, label, Injectable({ scope: Scope.REQUEST }))],
  }),
  'a transient class': (kind, label) => ({
    providers: [decorated(kind, label, Injectable({ scope: Scope.TRANSIENT }))],
  }),
  'a class that depends on the request': (kind, label) => {
    const type = decorated(kind, label);
    Inject(RequestScopedService)(type.prototype as object, 'service');
    return { providers: [RequestScopedService, type] };
  },
  'a subclass of a decorated class': (kind, label) => {
    class Derived extends decorated(kind, label) {}
    return { providers: [Derived] };
  },
  'a plain value under the decorated class': (kind, label) => {
    const type = decorated(kind, label);
    return { providers: [{ provide: type, useValue: plainOf(kind, type) }] };
  },
  'a request-scoped factory under the decorated class': (kind, label) => {
    const type = decorated(kind, label);
    return {
      providers: [
        {
          provide: type,
          scope: Scope.REQUEST,
          useFactory: () => plainOf(kind, type),
        },
      ],
    };
  },
  'a dynamic module': (kind, label) => ({
    imports: [{ module: class Other {}, providers: [decorated(kind, label)] }],
  }),
  'provideExtension with useClass': (kind, label) => ({
    providers: [
      provideExtension(kind.decorator(label), {
        useClass: kind.define(label),
      }),
    ],
  }),
  'provideExtension with a decorated useClass': (kind, label) => ({
    providers: [
      provideExtension(kind.decorator(label), {
        useClass: decorated(kind, label),
      }),
    ],
  }),
  'provideExtension with useValue': (kind, label) => ({
    providers: [
      provideExtension(kind.decorator(label), {
        useValue: plainOf(kind, kind.define(label)),
      }),
    ],
  }),
  'provideExtension with useFactory': (kind, label) => ({
    providers: [
      { provide: `dependency of ${kind.name}`, useValue: kind.define(label) },
      provideExtension(kind.decorator(label), {
        inject: [`dependency of ${kind.name}`],
        useFactory: (type: Type) => plainOf(kind, type),
      }),
    ],
  }),
  'provideExtension with an async useFactory': (kind, label) => ({
    providers: [
      provideExtension(kind.decorator(label), {
        useFactory: () => Promise.resolve(plainOf(kind, kind.define(label))),
      }),
    ],
  }),
  'provideExtension with a request-scoped useFactory': (kind, label) => ({
    providers: [
      provideExtension(kind.decorator(label), {
        scope: Scope.REQUEST,
        inject: [REQUEST],
        useFactory: (request: object) => {
          // Customizers run when there is no request yet.
          if (kind.name !== 'registry customizer' && !('headers' in request))
            throw new Error('There is no request.');
          return plainOf(kind, kind.define(label));
        },
      }),
    ],
  }),
  'provideExtension with useExisting after it': (kind, label) => {
    const type = kind.define(label);
    return {
      providers: [
        type,
        provideExtension(kind.decorator(label), { useExisting: type }),
      ],
    };
  },
  'provideExtension with useExisting before it': (kind, label) => {
    const type = kind.define(label);
    return {
      providers: [
        provideExtension(kind.decorator(label), { useExisting: type }),
        type,
      ],
    };
  },
  'provideExtension with useExisting of a decorated class': (kind, label) => {
    const type = decorated(kind, label);
    return {
      providers: [
        type,
        provideExtension(kind.decorator(label), { useExisting: type }),
      ],
    };
  },
  'provideExtension with useExisting of a request-scoped class': (
    kind,
    label,
  ) => {
    const type = kind.define(label);
    Injectable({ scope: Scope.REQUEST })(type);
    return {
      providers: [
        type,
        provideExtension(kind.decorator(label), { useExisting: type }),
      ],
    };
  },
  'provideExtension with useExisting of a decorated request-scoped class': (
    kind,
    label,
  ) => {
    const type = decorated(kind, label, Injectable({ scope: Scope.REQUEST }));
    return {
      providers: [
        type,
        provideExtension(kind.decorator(label), { useExisting: type }),
      ],
    };
  },
  'forFeature with an instance': (kind, label) => ({
    imports: [
      AguiModule.forFeature(
        kind.named(label, plainOf(kind, kind.define(label)) as never),
      ),
    ],
  }),
  'forFeature with a class': (kind, label) => ({
    imports: [
      AguiModule.forFeature(kind.named(label, kind.define(label) as never)),
    ],
  }),
  'forFeature with a decorated class': (kind, label) => ({
    imports: [
      AguiModule.forFeature(kind.named(label, decorated(kind, label) as never)),
    ],
  }),
  'forFeature with a decorated class that is a provider too': (kind, label) => {
    const type = decorated(kind, label);
    return {
      imports: [AguiModule.forFeature(kind.named(label, type as never))],
      providers: [type],
    };
  },
  'forFeature with a request-scoped provider': (kind, label) => {
    const type = decorated(kind, label, Injectable({ scope: Scope.REQUEST }));
    return {
      imports: [AguiModule.forFeature(kind.named(label, type as never))],
      providers: [type],
    };
  },
  'forFeature with a request-scoped class': (kind, label) => {
    const type = kind.define(label);
    Injectable({ scope: Scope.REQUEST })(type);
    return {
      imports: [AguiModule.forFeature(kind.named(label, type as never))],
    };
  },
  'forFeature with a class that depends on the request': (kind, label) => {
    const type = kind.define(label);
    Injectable()(type);
    Inject(RequestScopedService)(type.prototype as object, 'service');
    class Services {}
    return {
      imports: [
        AguiModule.forFeature({
          ...kind.named(label, type as never),
          imports: [
            {
              module: Services,
              providers: [RequestScopedService],
              exports: [RequestScopedService],
            },
          ],
        }),
      ],
    };
  },
  'forRoot with an instance': (kind, label) => ({
    options: kind.named(label, plainOf(kind, kind.define(label)) as never),
  }),
  'forRoot with a class': (kind, label) => ({
    options: kind.named(label, kind.define(label) as never),
  }),
};
