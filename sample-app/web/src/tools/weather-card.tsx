import type { ToolCallMessagePartProps } from '@assistant-ui/react';
import { Card, Result } from './tool-card';

interface Weather {
  city: string;
  condition: string;
  temperature: number;
  humidity: number;
  windSpeed: number;
}

const SIGNS: Readonly<Record<string, string>> = {
  sunny: '☀',
  cloudy: '☁',
  rainy: '☂',
  windy: '≋',
  foggy: '≡',
};

/** What `get_weather` has found, as a weather report looks. */
export function WeatherCard(props: ToolCallMessagePartProps) {
  return (
    <Card {...props}>
      {isWeather(props.result) ? (
        <Report {...props.result} />
      ) : (
        <Result {...props} />
      )}
    </Card>
  );
}

function Report({ city, condition, ...figures }: Weather) {
  const { temperature, humidity, windSpeed } = figures;
  return (
    <div className="weather" data-testid="weather">
      <span className="weather-sign" aria-hidden="true">
        {SIGNS[condition] ?? '°'}
      </span>
      <div>
        <strong>{city}</strong>
        <div>{condition}</div>
      </div>
      <span className="weather-degrees">{temperature} °C</span>
      <dl>
        <dt>Humidity</dt>
        <dd>{humidity} %</dd>
        <dt>Wind</dt>
        <dd>{windSpeed} km/h</dd>
      </dl>
    </div>
  );
}

function isWeather(result: unknown): result is Weather {
  return (
    typeof result === 'object' && result !== null && 'temperature' in result
  );
}
