import {
  forwardRef,
  Inject,
  Injectable,
  Module,
  Scope,
  type Type,
} from '@nestjs/common';
import { ContextIdFactory, ModuleRef, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { classRef, fixed, isKnownNot, RunScope } from './extension-ref.js';

@Injectable({ scope: Scope.REQUEST })
class Session {
  constructor(@Inject(REQUEST) readonly request: unknown) {}
}

@Injectable()
class Shared {}

@Injectable()
class Provided {
  constructor(readonly shared: Shared) {}
}

@Injectable({ scope: Scope.TRANSIENT })
class Transient {}

@Injectable()
class BySession {
  constructor(readonly session: Session) {}
}

@Injectable()
class Own {
  constructor(readonly shared: Shared) {}
}

@Injectable({ scope: Scope.REQUEST })
class OwnRequestScoped {}

@Injectable()
class OwnBySession {
  constructor(readonly session: Session) {}
}

@Injectable()
class OwnByRequest {
  constructor(@Inject(REQUEST) readonly request: unknown) {}
}

class OwnByProperty {
  @Inject(Session) readonly session!: Session;
}

class OwnByForwardReference {
  @Inject(forwardRef(() => Session)) readonly session!: Session;
}

@Module({
  providers: [Session, Shared, Provided, Transient, BySession],
})
class SomeModule {}

let moduleRef: ModuleRef;

beforeAll(async () => {
  const testing = await Test.createTestingModule({
    imports: [SomeModule],
  }).compile();
  moduleRef = testing.select(SomeModule).get(ModuleRef);
});

describe('classRef', () => {
  it('should give the provider of the application', async () => {
    const ref = await classRef(Provided, moduleRef);
    expect(ref.instance).toBe(moduleRef.get(Provided));
  });

  it('should make one of its own of a class that is no provider', async () => {
    const ref = await classRef(Own, moduleRef);
    expect(ref.instance).toBeInstanceOf(Own);
    expect(ref.instance!.shared).toBe(moduleRef.get(Shared));
    expect(await ref.resolve(ContextIdFactory.create())).toBe(ref.instance);
  });

  it.each<[string, Type]>([
    ['a transient provider', Transient],
    ['a provider that depends on the request', BySession],
    ['a request-scoped class', OwnRequestScoped],
    ['a class that depends on the request', OwnBySession],
    ['a class with the request itself', OwnByRequest],
    ['a class with the request in a property', OwnByProperty],
    ['a class with a forward reference to it', OwnByForwardReference],
  ])('should give no instance of %s, but one a scope', async (_what, type) => {
    const ref = await classRef(type, moduleRef);
    expect(ref).not.toHaveProperty('instance');
    const [one, other] = [1, 2].map(
      () => RunScope.of(moduleRef, { headers: {} }).id,
    );
    expect(await ref.resolve(one!)).toBeInstanceOf(type);
    expect(await ref.resolve(one!)).not.toBe(await ref.resolve(other!));
  });

  it.each([BySession, OwnBySession, OwnByProperty])(
    'should inject the request into what %o depends on',
    async (type) => {
      const request = { headers: {} };
      const ref = await classRef<{ session: Session }>(type, moduleRef);
      const scope = RunScope.of(moduleRef, request);
      expect((await ref.resolve(scope.id)).session.request).toBe(request);
    },
  );

  it('should fail for a class whose dependencies there are not', async () => {
    @Injectable()
    class Unknown {}
    @Injectable()
    class Hopeless {
      constructor(readonly unknown: Unknown) {}
    }
    await expect(classRef(Hopeless, moduleRef)).rejects.toThrow(/Hopeless/);
  });
});

describe('RunScope', () => {
  it('should be the same however often it is asked for', () => {
    const request = {};
    expect(RunScope.of(moduleRef, request)).toBe(
      RunScope.of(moduleRef, request),
    );
    expect(RunScope.of(moduleRef, {})).not.toBe(
      RunScope.of(moduleRef, request),
    );
  });

  it('should be a new one without a request', () => {
    expect(RunScope.of(moduleRef, undefined)).not.toBe(
      RunScope.of(moduleRef, undefined),
    );
  });
});

describe('isKnownNot', () => {
  const isText = (value: unknown) => typeof value === 'string';
  const ref = { name: 'x', order: 0, resolve: () => 'x' };

  it('should look at the instance, whatever it is', () => {
    expect(isKnownNot({ ...ref, type: String, ...fixed('x') }, isText)).toBe(
      false,
    );
    for (const instance of [undefined, null, 5])
      expect(
        isKnownNot({ ...ref, type: String, ...fixed(instance) }, isText),
      ).toBe(true);
  });

  it('should look at the prototype of what is made later', () => {
    const hasX = (value: unknown) => 'x' in (value as object);
    class X {
      x() {}
    }
    expect(isKnownNot({ ...ref, type: X }, hasX)).toBe(false);
    expect(isKnownNot({ ...ref, type: Shared }, hasX)).toBe(true);
  });

  it('should not know what a factory will make', () => {
    expect(isKnownNot({ ...ref, type: undefined }, isText)).toBe(false);
  });
});
