import { z } from 'zod';

/** Says whether a value is what a schema describes, to the letter. */
export type Recogniser = (value: unknown) => boolean;

const recognisers = new WeakMap<z.core.$ZodType, Recogniser>();

/**
 * Recognises what is right as it is: what the schema accepts without a change, with no member that it
 * does not describe and no `null` that stands for an absent one. Nearly everything that comes is, and a
 * look costs a tenth of what parsing does. What is not recognised may still be right.
 */
export function recogniserOf(schema: z.core.$ZodType): Recogniser {
  let recogniser = recognisers.get(schema);
  if (recogniser === undefined)
    recognisers.set(schema, (recogniser = compile(schema)));
  return recogniser;
}

function compile(schema: z.core.$ZodType): Recogniser {
  if (schema instanceof z.ZodObject) return objectRecogniser(schema);
  if (schema instanceof z.ZodOptional) {
    const inner = recogniserOf(schema.unwrap());
    return (value) => value !== null && inner(value);
  }
  if (schema instanceof z.ZodDefault) return recogniserOf(schema.unwrap());
  if (schema instanceof z.ZodDiscriminatedUnion)
    return discriminatedRecogniser(schema);
  if (schema instanceof z.ZodUnion) {
    const arms = schema.options.map(recogniserOf);
    return (value) => arms.some((arm) => arm(value));
  }
  if (schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum) {
    const values = new Set<unknown>(
      schema instanceof z.ZodLiteral ? schema.values : schema.options,
    );
    return (value) => values.has(value);
  }
  if (schema instanceof z.ZodArray) {
    const item = recogniserOf(schema.element);
    const fits = hasChecks(schema)
      ? (value: unknown) => z.safeParse(schema, value).success
      : () => true;
    return (value) => Array.isArray(value) && value.every(item) && fits(value);
  }
  if (schema instanceof z.ZodString && !hasChecks(schema))
    return (value) => typeof value === 'string';
  if (schema instanceof z.ZodBoolean)
    return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodAny && !hasChecks(schema)) return isSayable;
  return (value) => {
    const { success, data } = z.safeParse(schema, value);
    return success && data === value;
  };
}

function objectRecogniser(schema: z.ZodObject): Recogniser {
  const members = new Map(
    Object.entries(schema.shape as z.core.$ZodShape).map(([name, member]) => [
      name,
      {
        is: recogniserOf(member),
        required: member instanceof z.ZodOptional ? 0 : 1,
      },
    ]),
  );
  let needed = 0;
  for (const { required } of members.values()) needed += required;
  return (value) => {
    // Members of a class are not said in JSON.
    if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype)
      return false;
    let found = 0;
    for (const name in value) {
      const member = members.get(name);
      if (member === undefined || !member.is(value[name])) return false;
      found += member.required;
    }
    return found === needed;
  };
}

function discriminatedRecogniser(schema: z.ZodDiscriminatedUnion): Recogniser {
  const { discriminator } = schema.def;
  const arms = new Map<unknown, Recogniser>();
  for (const option of schema.options as z.ZodObject[])
    for (const tag of (option.shape[discriminator] as z.ZodLiteral).values)
      arms.set(tag, recogniserOf(option));
  return (value) =>
    isObject(value) && arms.get(value[discriminator])?.(value) === true;
}

function hasChecks(schema: z.core.$ZodType): boolean {
  return (schema._zod.def.checks ?? []).length > 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What JSON can say. */
function isSayable(value: unknown): boolean {
  const kind = typeof value;
  return (
    kind === 'string' ||
    kind === 'object' ||
    kind === 'number' ||
    kind === 'boolean'
  );
}
