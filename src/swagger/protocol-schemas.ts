import * as protocol from '@ag-ui/core/schemas';
import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { z } from 'zod';

/** The dialects of JSON Schema that versions of OpenAPI speak. */
export type SchemaTarget = 'openapi-3.0' | 'draft-2020-12';

const COMPONENTS = '#/components/schemas/';

/** Names that `@ag-ui/core` keeps from earlier versions of the protocol. */
const FORMER_NAME = /^(\w*Input(Content|Part)\w*|EventSchemas)$/;

/** A reference to a schema of the document. */
export function refTo(name: string): ReferenceObject {
  return { $ref: COMPONENTS + name };
}

/**
 * AG-UI's own schemas under their names, as far as these are needed by some of them.
 *
 * @param nameOf what a schema is called in the document.
 */
export function protocolSchemas(
  roots: readonly string[],
  target: SchemaTarget,
  nameOf: (name: string) => string,
): Record<string, SchemaObject> {
  const { schemas } = z.toJSONSchema(registryOf(nameOf), {
    target,
    io: 'input',
    uri: (name) => COMPONENTS + name,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The protocol's note to itself that an object is open; to OpenAPI all of these are.
      delete jsonSchema['specOpen'];
      // The protocol's only checks of its own are those for an object with any members.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object';
    },
  });
  const needed: Record<string, SchemaObject> = {};
  const take = (name: string) => {
    if (name in needed) return;
    const { $id: _, $schema: __, ...schema } = schemas[name]!;
    needed[name] = schema as SchemaObject;
    for (const [, other] of JSON.stringify(schema).matchAll(
      new RegExp(`"${COMPONENTS}([^"]+)"`, 'g'),
    ))
      take(other!);
  };
  for (const root of roots) take(nameOf(root));
  return needed;
}

function registryOf(nameOf: (name: string) => string) {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(protocol))
    if (schema instanceof z.ZodType && !FORMER_NAME.test(name))
      registry.add(schema, { id: nameOf(name.replace(/Schema$/, '')) });
  return registry;
}
