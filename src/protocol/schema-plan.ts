import { z } from 'zod';

/**
 * What a schema describes, reduced to what the pruner asks: which members an object may have,
 * which kinds a union knows, what a list is of. Everything else is a leaf, whose inside is nobody's business here.
 */
export type SchemaPlan =
  | { kind: 'object'; members: ReadonlyMap<string, Member>; open: boolean }
  | { kind: 'array'; item: SchemaPlan; schema: z.core.$ZodType }
  | {
      kind: 'union';
      discriminator: string;
      arms: ReadonlyMap<unknown, SchemaPlan>;
    }
  | { kind: 'leaf' };

export interface Member {
  plan: SchemaPlan;
  optional: boolean;
}

const LEAF: SchemaPlan = { kind: 'leaf' };
const plans = new WeakMap<z.core.$ZodType, SchemaPlan>();

/** The plan of a schema, made once. */
export function planOf(schema: z.core.$ZodType): SchemaPlan {
  let plan = plans.get(schema);
  if (plan === undefined) plans.set(schema, (plan = compile(unwrap(schema))));
  return plan;
}

function compile(schema: z.core.$ZodType): SchemaPlan {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as z.core.$ZodShape).map(
      ([name, member]): [string, Member] => [
        name,
        {
          plan: planOf(member),
          optional: z.safeParse(member, undefined).success,
        },
      ],
    );
    // AG-UI marks the few objects that RFC 6902 leaves open; all others are closed.
    const open = schema.meta()?.['specOpen'] === true;
    return { kind: 'object', members: new Map(members), open };
  }
  if (schema instanceof z.ZodArray)
    return { kind: 'array', item: planOf(schema.element), schema };
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const arms = new Map<unknown, SchemaPlan>();
    for (const option of schema.options) {
      const tag = unwrap((option as z.ZodObject).shape[discriminator]!);
      for (const value of (tag as z.ZodLiteral).def.values)
        arms.set(value, planOf(option));
    }
    return { kind: 'union', discriminator, arms };
  }
  if (schema instanceof z.ZodUnion) {
    // Text or parts, say: the arm with an inside looks only at values of its own shape.
    const inner = schema.options.map(planOf).filter((plan) => plan !== LEAF);
    return inner.length === 1 ? inner[0]! : LEAF;
  }
  return LEAF;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPipe) return unwrap(schema.def.in);
  return schema;
}
