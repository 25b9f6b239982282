import {
  ForbiddenException,
  Inject,
  Injectable,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';
import { InvalidExtensionError } from '../invalid-extension.error.js';
import { AGUI_GUARDS } from '../agui.tokens.js';
import {
  classRef,
  fixed,
  RunScope,
  type ExtensionRef,
} from '../extension-ref.js';

/** A guard as options give it. */
export type GuardSource = CanActivate | Type<CanActivate>;

type GuardRef = Pick<ExtensionRef<CanActivate>, 'instance' | 'resolve'>;

/** The guards that options name, made once. */
@Injectable()
export class GuardRefs {
  private refs: Promise<GuardRef[]> | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(AGUI_GUARDS) private readonly sources: readonly GuardSource[],
  ) {}

  /**
   * Makes them at the latest now.
   *
   * @throws InvalidExtensionError for what is no guard; what Nest throws for one it cannot make.
   */
  load(): Promise<GuardRef[]> {
    return (this.refs ??= Promise.all(
      this.sources.map(async (source) => {
        if (typeof source !== 'function') return fixed(source);
        const ref = await classRef(source, this.moduleRef);
        if (
          'instance' in ref &&
          typeof ref.instance?.canActivate !== 'function'
        )
          throw new InvalidExtensionError(
            source.name,
            'is named as a guard but has no method canActivate().',
          );
        return ref;
      }),
    ));
  }
}

/**
 * Asks the guards that options name, in their order. Nest skips guard classes that are put on a
 * controller after it has scanned it, as asynchronous options would; these are asked always.
 */
@Injectable()
export class AguiGuards implements CanActivate {
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly guards: GuardRefs,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request: unknown = context.switchToHttp().getRequest();
    for (const { instance, resolve } of await this.guards.load()) {
      const guard =
        instance ?? (await resolve(RunScope.of(this.moduleRef, request).id));
      const verdict = guard.canActivate(context);
      const passed = await (isObservable(verdict)
        ? lastValueFrom(verdict, { defaultValue: false })
        : verdict);
      if (!passed) throw new ForbiddenException();
    }
    return true;
  }
}
