import type { Weather } from '../tools/weather.tools.js';
import type { Result } from './conversation.js';

/** Puts a tool's result into words. */
export function speak({ name, text, failed }: Result): string {
  if (failed) return `The tool ${name} did not work: ${text}`;
  const value = parsed(text);
  switch (name) {
    case 'get_weather': {
      const { city, condition, temperature, humidity } = value as Weather;
      return `The weather in ${city} is ${condition} at ${temperature} °C, with ${humidity} % humidity.`;
    }
    case 'calculate': {
      const { expression, result } = value as Record<string, unknown>;
      return `${String(expression)} = ${String(result)}`;
    }
    case 'get_current_time': {
      const { time, timeZone } = value as Record<string, string>;
      return `It is ${time} (${timeZone}).`;
    }
    case 'update_state':
      return 'I have changed the recipe.';
    case 'web_researcher':
    case 'library_researcher':
      return `${name.startsWith('web') ? 'The web' : 'The library'} says: ${text}`;
    default:
      return `Done: ${text}`;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
