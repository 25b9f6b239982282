import 'reflect-metadata';
import { asSchema, jsonSchema } from 'ai';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolCallContext } from './agent-tool.js';
import { AguiTool } from './agui-tool.decorator.js';
import { mergeTools, toolsOf } from './tools-of.js';

class City {
  @IsString()
  name: string;
}

class WeatherTools {
  protected readonly unit: string = 'C';

  @AguiTool({
    description: 'Tells the weather',
    parameters: z.object({ city: z.string() }),
  })
  weather({ city }: { city: string }): string {
    return `20 ${this.unit} in ${city}`;
  }

  @AguiTool({
    name: 'get_forecast',
    description: 'Foretells',
    parameters: City,
  })
  forecast(city: City, { toolCallId }: ToolCallContext) {
    return [city instanceof City, city.name, toolCallId];
  }

  @AguiTool({ description: 'Takes no arguments', needsApproval: true })
  async refresh(): Promise<number> {
    return 1;
  }

  notATool(): string {
    return 'no';
  }
}

const call = { toolCallId: 'c1', messages: [] } as unknown as ToolCallContext;

const run = (
  provider: object,
  name: string,
  input: unknown = {},
): Promise<unknown> =>
  Promise.resolve(toolsOf(provider)[name]!.execute!(input, call));

const validated = async (provider: object, name: string, input: unknown) => {
  const { inputSchema } = toolsOf(provider)[name]!;
  return asSchema(inputSchema).validate!(input);
};

describe('toolsOf', () => {
  it('should find the decorated methods, under their names or those that were given', () => {
    const tools = toolsOf(new WeatherTools());
    expect(Object.keys(tools)).toEqual(['weather', 'get_forecast', 'refresh']);
    expect(tools['weather']).toMatchObject({
      description: 'Tells the weather',
    });
  });

  it('should find none where there are none', () => {
    expect(toolsOf({})).toEqual({});
    expect(toolsOf(new Map())).toEqual({});
  });

  it('should call the method on its provider', async () => {
    expect(await run(new WeatherTools(), 'weather', { city: 'Paris' })).toBe(
      '20 C in Paris',
    );
    expect(await run(new WeatherTools(), 'refresh')).toBe(1);
  });

  it('should hand over the call beside the arguments', async () => {
    const city = Object.assign(new City(), { name: 'Rome' });
    expect(await run(new WeatherTools(), 'get_forecast', city)).toEqual([
      true,
      'Rome',
      'c1',
    ]);
  });

  it('should describe a tool without parameters as one without arguments', async () => {
    const { inputSchema } = toolsOf(new WeatherTools())['refresh']!;
    expect(await asSchema(inputSchema).jsonSchema).toEqual({
      type: 'object',
      properties: {},
    });
  });

  it('should ask for consent where the method says so', () => {
    const { refresh, weather } = toolsOf(new WeatherTools());
    expect(refresh!.needsApproval).toBe(true);
    expect(weather!.needsApproval).toBeUndefined();
  });

  it('should ask for consent by the arguments where the method says so', () => {
    class Payments {
      @AguiTool({
        description: 'Pays',
        parameters: z.object({ amount: z.number() }),
        needsApproval: ({ amount }: { amount: number }) => amount > 100,
      })
      pay(): void {}
    }
    const needsApproval = toolsOf(new Payments())['pay']!
      .needsApproval as unknown as (input: unknown) => boolean;
    expect(needsApproval({ amount: 101 })).toBe(true);
    expect(needsApproval({ amount: 100 })).toBe(false);
  });

  describe('of a derived class', () => {
    class Fahrenheit extends WeatherTools {
      protected override readonly unit = 'F';

      override forecast(): never[] {
        return [];
      }

      @AguiTool({ description: 'Tells the weather in F' })
      override weather(): string {
        return `68 ${this.unit}`;
      }

      @AguiTool({ description: 'Is only here' })
      tide(): string {
        return 'high';
      }
    }

    it('should find what it inherits, what it overrides, and what it adds', () => {
      const tools = toolsOf(new Fahrenheit());
      expect(Object.keys(tools).sort()).toEqual([
        'get_forecast',
        'refresh',
        'tide',
        'weather',
      ]);
      expect(tools['weather']!.description).toBe('Tells the weather in F');
    });

    it('should call what overrides', async () => {
      expect(await run(new Fahrenheit(), 'weather')).toBe('68 F');
      expect(await run(new Fahrenheit(), 'get_forecast')).toEqual([]);
    });

    it('should leave the base class as it is', () => {
      const tools = toolsOf(new WeatherTools());
      expect(tools).not.toHaveProperty('tide');
      expect(tools['weather']!.description).toBe('Tells the weather');
    });
  });

  it('should refuse two tools of one name, and say what to do', () => {
    class Twice {
      @AguiTool({ description: 'One' })
      one(): void {}

      @AguiTool({ name: 'one', description: 'Two' })
      two(): void {}
    }
    expect(() => toolsOf(new Twice())).toThrow(
      'Two tools are named "one"; give Twice.two another name in @AguiTool({ name }).',
    );
    expect(() => mergeTools([new WeatherTools(), new WeatherTools()])).toThrow(
      TypeError,
    );
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'should have a tool named %s only if there is one',
    (name) => {
      expect(Object.hasOwn(toolsOf(new WeatherTools()), name)).toBe(false);
    },
  );

  describe('with parameters by', () => {
    /** What the AI SDK asks of a Standard Schema, made by hand. */
    const standard = {
      '~standard': {
        version: 1,
        vendor: 'by-hand',
        validate: (value: unknown) =>
          typeof (value as { n?: unknown })?.n === 'number'
            ? { value: { n: (value as { n: number }).n } }
            : { issues: [{ message: 'n must be a number' }] },
        jsonSchema: {
          input: () => ({
            type: 'object',
            properties: { n: { type: 'number' } },
            required: ['n'],
          }),
          output: () => ({ type: 'object' }),
        },
      },
    };

    const FORMS: [string, unknown][] = [
      ['zod', z.object({ n: z.number() })],
      ['another Standard Schema', standard],
      [
        'another Standard Schema that is a function',
        Object.assign(() => {}, standard),
      ],
      [
        "the AI SDK's jsonSchema()",
        jsonSchema(
          {
            type: 'object',
            properties: { n: { type: 'number' } },
            required: ['n'],
          },
          {
            validate: (value) =>
              typeof (value as { n?: unknown }).n === 'number'
                ? { success: true, value }
                : { success: false, error: new Error('n must be a number') },
          },
        ),
      ],
    ];

    it.each(FORMS)('%s', async (_form, parameters) => {
      class Numbers {
        @AguiTool({ description: 'Doubles', parameters: parameters as never })
        double({ n }: { n: number }): number {
          return 2 * n;
        }
      }
      const { inputSchema } = toolsOf(new Numbers())['double']!;
      expect(await asSchema(inputSchema).jsonSchema).toMatchObject({
        type: 'object',
        properties: { n: { type: 'number' } },
        required: ['n'],
      });
      expect(await validated(new Numbers(), 'double', { n: 2 })).toEqual({
        success: true,
        value: { n: 2 },
      });
      expect(
        await validated(new Numbers(), 'double', { n: '2' }),
      ).toMatchObject({ success: false });
      expect(await run(new Numbers(), 'double', { n: 2 })).toBe(4);
    });
  });
});
