import 'reflect-metadata';
import { asSchema } from 'ai';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsDate,
  IsEmail,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { schemaOf } from './tool-schema.js';

afterEach(() => {
  vi.doUnmock('class-validator-jsonschema');
  vi.resetModules();
});

class Address {
  @IsString()
  street: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  number?: number;
}

class Person {
  @IsEmail()
  email: string;

  @IsEnum(['admin', 'guest'])
  role: string;

  @ValidateNested()
  @Type(() => Address)
  home: Address;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Address)
  others: Address[];
}

class Folder {
  @IsString()
  name: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Folder)
  folders?: Folder[];
}

class Child extends Address {
  @IsInt()
  @Max(17)
  age: number;
}

class Appointment {
  @IsDate()
  @Type(() => Date)
  at: Date;
}

const described = (type: Parameters<typeof schemaOf>[0]) =>
  asSchema(schemaOf(type)).jsonSchema;
const checked = (type: Parameters<typeof schemaOf>[0], value: unknown) =>
  Promise.resolve(asSchema(schemaOf(type)).validate!(value));

const ADDRESS = {
  type: 'object',
  properties: {
    street: { type: 'string' },
    number: { type: 'integer', minimum: 1 },
  },
  required: ['street'],
};

describe('A class as parameters', () => {
  it('should be described with all classes inside it', async () => {
    expect(await described(Person)).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        role: { type: 'string', enum: ['admin', 'guest'] },
        home: ADDRESS,
        others: { type: 'array', items: ADDRESS },
      },
      required: ['email', 'role', 'home', 'others'],
    });
  });

  it('should be described though it contains itself', async () => {
    expect(await described(Folder)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        folders: { type: 'array', items: { type: 'object' } },
      },
      required: ['name'],
    });
  });

  it('should be described with what it inherits', async () => {
    expect(await described(Child)).toMatchObject({
      properties: {
        ...ADDRESS.properties,
        age: { type: 'integer', maximum: 17 },
      },
    });
  });

  it('should become instances, all the way down, of what is known alone', async () => {
    const checkedPerson = await checked(Person, {
      email: 'ada@example.com',
      role: 'admin',
      home: { street: 'Main', number: 1, extra: true },
      others: [{ street: 'Side' }],
      extra: true,
    });
    if (!checkedPerson.success) throw checkedPerson.error;
    const person = checkedPerson.value as Person;
    expect(person).toBeInstanceOf(Person);
    expect(person.home).toBeInstanceOf(Address);
    expect(person.others[0]).toBeInstanceOf(Address);
    expect(person).not.toHaveProperty('extra');
    expect(person.home).not.toHaveProperty('extra');
  });

  it('should become what its decorators make of it', async () => {
    const appointment = await checked(Appointment, { at: '2030-01-01' });
    expect(appointment).toMatchObject({
      success: true,
      value: { at: new Date('2030-01-01') },
    });
  });

  it('should be refused with everything that is wrong, wherever it is', async () => {
    const refused = await checked(Person, {
      email: 'ada',
      role: 'admin',
      home: { street: 5 },
      others: [{ street: 'Side', number: 0 }],
    });
    if (refused.success) throw new Error('It was not refused.');
    for (const wrong of ['email', 'home.street', 'others[0].number'])
      expect(refused.error.message).toContain(wrong);
  });

  it.each([[null], [undefined], ['text'], [5], [true], [[]], [[{}]]])(
    'should be refused if it is %j',
    async (value) => {
      expect(await checked(Address, value)).toMatchObject({ success: false });
    },
  );

  it('should need a package of its own, and say which', async () => {
    vi.doMock('class-validator-jsonschema', () => {
      throw new Error('not found');
    });
    vi.resetModules();
    const fresh = await import('./tool-schema.js');
    await expect(
      Promise.resolve(asSchema(fresh.schemaOf(Address)).jsonSchema),
    ).rejects.toThrow(
      "Address is a class; to use one as a tool's parameters, run: npm install class-validator-jsonschema",
    );
  });
});
