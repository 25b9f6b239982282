// Decorators without a compiler.
export const decorate = (target, ...decorators) => {
  for (const decorator of decorators) decorator(target);
  return target;
};

export const decorateMethod = ({ prototype }, name, decorator) =>
  decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));

export const decorateParameter = ({ prototype }, name, index, decorator) =>
  decorator(prototype, name, index);
