import type { z } from 'zod';
import { planOf, type SchemaPlan } from './schema-plan.js';

const DROP = Symbol('drop');

/** A value without what its schema does not describe, and the JSON pointers of what was taken away. */
export interface Pruned {
  value: unknown;
  removed: string[];
}

/**
 * Takes away what the protocol does not describe (AG-UI: "Processing Model"): unknown members of a
 * closed object, unknown kinds of a union. What is known but wrong stays, for the validator to
 * refuse. The value is not changed and is returned as it is when nothing had to go.
 */
export function prune(value: unknown, schema: z.core.$ZodType): Pruned {
  const removed: string[] = [];
  const pruned = pruneBy(planOf(schema), value, '', removed);
  return { value: pruned === DROP ? undefined : pruned, removed };
}

function pruneBy(
  plan: SchemaPlan,
  value: unknown,
  path: string,
  removed: string[],
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  switch (plan.kind) {
    case 'leaf':
      return value;
    case 'union': {
      const arm = plan.arms.get(
        (value as Record<string, unknown>)[plan.discriminator],
      );
      if (arm !== undefined) return pruneBy(arm, value, path, removed);
      const tag = (value as Record<string, unknown>)[plan.discriminator];
      // A tag that is no string is malformed rather than unknown.
      return typeof tag === 'string' ? DROP : value;
    }
    case 'array':
      return Array.isArray(value)
        ? pruneItems(plan.item, value, path, removed)
        : value;
    case 'object':
      return Array.isArray(value)
        ? value
        : pruneMembers(plan, value as Record<string, unknown>, path, removed);
  }
}

function pruneItems(
  item: SchemaPlan,
  value: unknown[],
  path: string,
  removed: string[],
): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const at = `${path}/${index}`;
    const mark = removed.length;
    const pruned = pruneBy(item, value[index], at, removed);
    if (pruned === DROP) removed.splice(mark, Infinity, at);
    if (pruned !== value[index]) copy ??= value.slice(0, index);
    if (pruned !== DROP) copy?.push(pruned);
  }
  return copy ?? value;
}

function pruneMembers(
  plan: Extract<SchemaPlan, { kind: 'object' }>,
  value: Record<string, unknown>,
  path: string,
  removed: string[],
): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const member = plan.members.get(name);
    const at = `${path}/${name}`;
    if (member === undefined) {
      if (plan.open) continue;
      removed.push(at);
      copy ??= { ...value };
      delete copy[name];
      continue;
    }
    const mark = removed.length;
    const pruned = pruneBy(member.plan, value[name], at, removed);
    if (pruned === value[name]) continue;
    if (pruned === DROP) {
      if (!member.optional) return DROP;
      removed.splice(mark, Infinity, at);
    }
    copy ??= { ...value };
    if (pruned === DROP) delete copy[name];
    else copy[name] = pruned;
  }
  return copy ?? value;
}
