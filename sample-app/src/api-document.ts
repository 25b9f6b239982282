import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { documentAgui } from 'nestjs-agui/swagger';

/** Serves the API's description at `/api`, and as OpenAPI at `/api-json` and `/api-yaml`. */
export function serveApiDocument(app: INestApplication): void {
  const config = new DocumentBuilder()
    .setTitle('nestjs-agui')
    .setDescription('The sample’s agents, served over AG-UI.')
    .build();
  SwaggerModule.setup('api', app, () =>
    documentAgui(app, SwaggerModule.createDocument(app, config)),
  );
}
