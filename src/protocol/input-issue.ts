import { z } from 'zod';
import { planOf, type SchemaPlan } from './schema-plan.js';

/** One thing that is wrong with a run input. `path` is dotted, such as `messages.0.id`; empty for the whole. */
export interface InputIssue {
  path: string;
  message: string;
}

/** How many items of a list are looked at together. */
const PORTION = 100;

/** What a validator found, below a path. */
export function inputIssueOf({
  path,
  message,
}: Pick<z.core.$ZodIssue, 'path' | 'message'>): InputIssue {
  return { path: path.map(String).join('.'), message };
}

/**
 * The first things that are wrong in long lists, portion by portion. A validator collects all that
 * is wrong, which of a list of a million wrong items takes minutes.
 */
export function firstListIssues(
  value: unknown,
  schema: z.core.$ZodType,
): InputIssue[] {
  return listIssues(planOf(schema), value, []);
}

type Path = readonly (string | number)[];

function listIssues(
  plan: SchemaPlan,
  value: unknown,
  path: Path,
): InputIssue[] {
  if (typeof value !== 'object' || value === null) return [];
  switch (plan.kind) {
    case 'leaf':
      return [];
    case 'union': {
      const tag = (value as Record<string, unknown>)[plan.discriminator];
      const arm = plan.arms.get(tag);
      return arm === undefined ? [] : listIssues(arm, value, path);
    }
    case 'object':
      for (const [name, { plan: member }] of plan.members) {
        const inside = (value as Record<string, unknown>)[name];
        const issues = listIssues(member, inside, [...path, name]);
        if (issues.length > 0) return issues;
      }
      return [];
    case 'array':
      return Array.isArray(value) ? portionIssues(plan, value, path) : [];
  }
}

function portionIssues(
  { item, schema }: Extract<SchemaPlan, { kind: 'array' }>,
  items: readonly unknown[],
  path: Path,
): InputIssue[] {
  for (let start = 0; start < items.length; start += PORTION) {
    const portion = items.slice(start, start + PORTION);
    for (const [index, one] of portion.entries()) {
      const issues = listIssues(item, one, [...path, start + index]);
      if (issues.length > 0) return issues;
    }
    // A short list is left to the validation of the whole.
    const parsed =
      items.length > PORTION ? z.safeParse(schema, portion) : undefined;
    if (parsed?.success === false)
      return parsed.error.issues.map(({ path: [index, ...rest], message }) =>
        inputIssueOf({
          path: [...path, start + Number(index), ...rest],
          message,
        }),
      );
  }
  return [];
}
