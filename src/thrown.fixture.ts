const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const trapped = new Proxy(new Error('x'), {
  get: () => {
    throw new Error('trap');
  },
  getPrototypeOf: () => {
    throw new Error('trap');
  },
});

const unreadable = (property: string, of: object) =>
  Object.defineProperty(of, property, {
    get() {
      throw new Error('trap');
    },
  });

/** Values that harm whoever looks at them when they are thrown. */
export const HOSTILE: Record<string, unknown> = {
  'an object whose name cannot be read': unreadable('name', {}),
  'an error whose stack cannot be read': unreadable('stack', new Error('x')),
  'an error whose message cannot be read': unreadable('message', new Error()),
  'an error whose name is a symbol': Object.assign(new Error('x'), {
    name: Symbol('name'),
  }),
  'a revoked proxy': revoked(),
  'a proxy that throws': trapped,
  'an object without a prototype': Object.create(null),
  'a symbol': Symbol('s'),
  nothing: undefined,
};
