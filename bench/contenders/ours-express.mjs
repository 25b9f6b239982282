import { ExpressAdapter } from '@nestjs/platform-express';
import { serveOurs } from './ours.mjs';

await serveOurs(() => new ExpressAdapter());
