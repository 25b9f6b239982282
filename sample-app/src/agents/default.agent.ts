import { Injectable } from '@nestjs/common';
import { AguiAgent } from 'nestjs-agui';
import { AiSdkAgent, toolsOf } from 'nestjs-agui/ai-sdk';
import { sampleModel } from '../model.js';
import { OfficeTools } from '../tools/office.tools.js';
import { WeatherTools } from '../tools/weather.tools.js';

/** Knows the weather, the time and arithmetic, and can use the front end's tools. */
@Injectable()
@AguiAgent('default')
export class DefaultAgent extends AiSdkAgent {
  constructor(weather: WeatherTools, office: OfficeTools) {
    super({
      model: sampleModel(),
      system: 'You are a helpful assistant. Use your tools where they help.',
      tools: { ...toolsOf(weather), ...toolsOf(office) },
    });
  }
}
