import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import {
  DocumentBuilder,
  SwaggerModule,
  type OpenAPIObject,
  type OperationObject,
} from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { documentAgui } from 'nestjs-agui/swagger';
import { startApp, type Platform, type TestApp } from './app.js';
import { post } from './client.js';

/** An application and the document that was made of it before it listened, as `main.ts` does. */
export interface DocumentedApp extends TestApp {
  document: OpenAPIObject;
}

export async function startDocumented(
  platform: Platform,
  metadata: ModuleMetadata,
  configure: (app: INestApplication) => unknown = () => undefined,
  openapi = '3.0.0',
): Promise<DocumentedApp> {
  let document!: OpenAPIObject;
  const app = await startApp(platform, metadata, {
    configure: async (nest) => {
      await configure(nest);
      document = documentOf(nest, openapi);
    },
  });
  return Object.assign(app, { document });
}

export function documentOf(
  app: INestApplication,
  openapi = '3.0.0',
): OpenAPIObject {
  const config = new DocumentBuilder().setOpenAPIVersion(openapi).build();
  const document = documentAgui(app, SwaggerModule.createDocument(app, config));
  // As it is served.
  return JSON.parse(JSON.stringify(document)) as OpenAPIObject;
}

/** What a validator has against a document. */
export async function faultsOf(document: OpenAPIObject): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(
    document as unknown as Record<string, unknown>,
  );
  return valid ? undefined : errors;
}

/** All operations of a document. */
export function operationsOf({
  paths,
}: OpenAPIObject): { path: string; method: string; said: OperationObject }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).map(
      ([method, said]) => ({ path, method, said }),
    ),
  );
}

/** What a reader sends who fills in nothing: the examples of the document. */
export function tryOut(
  { url, document }: Pick<DocumentedApp, 'url' | 'document'>,
  path: string,
): Promise<Response> {
  const { parameters = [], requestBody } = document.paths[path]!.post!;
  const filled = (parameters as { name: string; example?: string }[]).reduce(
    (text, { name, example = '' }) => text.replace(`{${name}}`, example),
    path,
  );
  const { content } = requestBody as {
    content: Record<string, { example: unknown }>;
  };
  return post({ url }, content['application/json']!.example, { path: filled });
}

/** The schema that a document gives to a response's JSON body. */
export function schemaOf(
  { components }: OpenAPIObject,
  { responses }: OperationObject,
  status: number,
): { properties: object; required: string[] } | undefined {
  const { content } = (responses[status] ?? {}) as {
    content?: Record<string, { schema: { $ref: string } }>;
  };
  const name = content?.['application/json']?.schema.$ref.split('/').at(-1);
  return components?.schemas?.[name!] as
    { properties: object; required: string[] } | undefined;
}
