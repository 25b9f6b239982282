import { Injectable } from '@nestjs/common';
import { AguiTool } from 'nestjs-agui/ai-sdk';
import { z } from 'zod';

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
@Injectable()
export class WeatherTools {
  @AguiTool({
    name: 'get_weather',
    description: 'Tells the weather of a city',
    parameters: z.object({ city: z.string().describe('Name of the city') }),
  })
  weather({ city }: { city: string }): Weather {
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
}
