import type { AgentTool } from 'nestjs-agui';

const CONDITIONS = ['sunny', 'cloudy', 'rainy', 'windy', 'foggy'] as const;

/** What the tool tells of a place. */
export interface Weather {
  city: string;
  condition: string;
  temperature: number;
  humidity: number;
  windSpeed: number;
}

/** The weather of any place, invented but always the same. */
export const getWeather: AgentTool = {
  name: 'get_weather',
  description: 'Tells the weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
  execute: ({ city }): Weather => weatherOf(String(city)),
};

function weatherOf(city: string): Weather {
  let seed = 0;
  for (const letter of city.toLowerCase())
    seed = (seed * 31 + letter.codePointAt(0)!) % 9973;
  return {
    city,
    condition: CONDITIONS[seed % CONDITIONS.length]!,
    temperature: 5 + (seed % 25),
    humidity: 30 + (seed % 60),
    windSpeed: seed % 40,
  };
}
