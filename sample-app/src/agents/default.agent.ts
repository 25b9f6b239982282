import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { toolsOf } from 'nestjs-agui/ai-sdk';
import { sampleModel } from '../model.js';
import { OfficeTools } from '../tools/office.tools.js';
import { WeatherTools } from '../tools/weather.tools.js';
import { PoliteAgent } from './polite.agent.js';

/** Knows the weather, the time and arithmetic, and can use the front end's tools. */
@Injectable()
@AguiAgent('default')
export class DefaultAgent extends PoliteAgent {
  constructor(weather: WeatherTools, office: OfficeTools) {
    super({
      model: sampleModel(),
      system: 'You are a helpful assistant. Use your tools where they help.',
      tools: { ...toolsOf(weather), ...toolsOf(office) },
    });
  }
}
