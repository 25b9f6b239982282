// refused.ts
import type { INestApplication } from '@nestjs/common';
import { runAgent } from 'nestjs-agui/testing';

export async function statusWithoutLogin(app: INestApplication) {
  const refused = await runAgent(app, 'Hi').catch((error: unknown) => error);
  return (refused as { status?: number }).status;
}
