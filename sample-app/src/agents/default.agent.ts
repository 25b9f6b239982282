import { Injectable } from '@nestjs/common';
import { AguiAgent, Toolkit } from 'nestjs-agui';
import { OfflineAgent } from '../offline/offline.agent.js';
import { calculate } from '../tools/calculate.tool.js';
import { getCurrentTime } from '../tools/get-current-time.tool.js';
import { getWeather } from '../tools/get-weather.tool.js';

/** Knows the weather, the time and arithmetic, and can use the front end's tools. */
@Injectable()
@AguiAgent('default')
export class DefaultAgent extends OfflineAgent {
  override readonly toolkit = new Toolkit([
    getWeather,
    calculate,
    getCurrentTime,
  ]);
}
