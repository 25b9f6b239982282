import type { Type } from '@nestjs/common';
import { jsonSchema, type FlexibleSchema } from 'ai';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import type { targetConstructorToSchema } from 'class-validator-jsonschema';
import { isPlainObject } from '../adapter/tool-arguments.js';
import type { AguiToolOptions } from './agui-tool.decorator.js';

type Converter = typeof targetConstructorToSchema;
type SchemaObject = ReturnType<Converter>;

/** The AI SDK's schema of a tool's parameters, in whatever form they were declared. */
export function schemaOf(
  parameters: AguiToolOptions['parameters'],
): FlexibleSchema<unknown> {
  if (parameters === undefined)
    return jsonSchema({ type: 'object', properties: {} });
  return isClass(parameters)
    ? classSchema(parameters)
    : (parameters as FlexibleSchema<unknown>);
}

/** A class with class-validator's decorators; the tool gets an instance. */
function classSchema(type: Type): FlexibleSchema<unknown> {
  return jsonSchema(() => jsonSchemaOf(type), {
    validate: async (value) => {
      if (!isPlainObject(value))
        return { success: false, error: new Error('It must be an object.') };
      const instance: unknown = plainToInstance(type, value);
      const errors = await validate(instance as object, { whitelist: true });
      return errors.length === 0
        ? { success: true, value: instance }
        : { success: false, error: new Error(errors.join('; ')) };
    },
  });
}

async function jsonSchemaOf(type: Type): Promise<object> {
  const { targetConstructorToSchema } =
    await import('class-validator-jsonschema').catch(() => {
      throw new Error(
        `${type.name} is a class; to use one as a tool's parameters, run: npm install class-validator-jsonschema`,
      );
    });
  return describe(type, targetConstructorToSchema, []);
}

/** A class and the classes inside it, all in one place: many providers do not follow references. */
function describe(
  type: Type,
  convert: Converter,
  outer: readonly Type[],
): SchemaObject {
  const around = [...outer, type];
  return convert(type, {
    additionalConverters: {
      nestedValidation: ({ target, propertyName }) => {
        const inner = innerType(target as Type, propertyName);
        return inner === undefined || around.includes(inner)
          ? { type: 'object' }
          : describe(inner, convert, around);
      },
    },
  });
}

/** The class of a member, as class-transformer makes it. */
function innerType(type: Type, member: string): Type | undefined {
  const made = plainToInstance(type, { [member]: [{}] }) as Record<
    string,
    unknown
  >;
  const [inner] = [made[member]].flat();
  const found = inner?.constructor as Type | undefined;
  return found === Object ? undefined : found;
}

// Some Standard Schemas are functions, too; they say what they are.
function isClass(parameters: object): parameters is Type {
  return (
    typeof parameters === 'function' &&
    !('~standard' in parameters) &&
    /^class\b/.test(String(parameters))
  );
}
