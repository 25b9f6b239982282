import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HostTree } from '@angular-devkit/schematics';
import { SchematicTestRunner } from '@angular-devkit/schematics/testing/index.js';

const COLLECTION = fileURLToPath(
  new URL('../../dist/schematics/collection.json', import.meta.url),
);

const MODULE = `import { Module } from '@nestjs/common';

@Module({ imports: [], providers: [] })
export class AppModule {}
`;

/** An application as `nest new` makes it, as far as the schematics look at it. */
function application({ nest = '^12.0.1', files = {}, ...manifest } = {}) {
  const tree = new HostTree();
  const contents = {
    'package.json': JSON.stringify({
      type: 'module',
      dependencies: { '@nestjs/common': nest, rxjs: '^7.8.1' },
      ...manifest,
    }),
    'src/app.module.ts': MODULE,
    ...files,
  };
  for (const [file, content] of Object.entries(contents))
    tree.create(file, content);
  return tree;
}

/** Runs a schematic, and tells what came of it. */
async function run(schematic, options, tree = application()) {
  const runner = new SchematicTestRunner('nestjs-agui', COLLECTION);
  const log = [];
  runner.logger.subscribe(({ level, message }) =>
    log.push(`${level}: ${message}`),
  );
  const result = await runner.runSchematic(schematic, options, tree);
  return {
    tree: result,
    log,
    manifest: () => JSON.parse(result.readContent('package.json')),
    installs: runner.tasks.map(
      ({ options: { packageManager } }) => packageManager,
    ),
  };
}

describe('nest add nestjs-agui', () => {
  it('should add the module and what it needs', async () => {
    const { tree, manifest, installs, log } = await run('nest-add', {});
    assert.match(
      tree.readContent('src/app.module.ts'),
      /imports: \[\s*AguiModule\.forRoot\(\)/,
    );
    assert.deepEqual(manifest().dependencies, {
      '@nestjs/common': '^12.0.1',
      '@nestjs/config': '^12.0.0',
      rxjs: '^7.8.1',
    });
    assert.deepEqual(manifest().devDependencies, { '@ag-ui/client': '^1.0.0' });
    assert.deepEqual(installs, ['npm']);
    assert.deepEqual(log, []);
  });

  it('should take the @nestjs/config of NestJS 11, and let its Jest read the package', async () => {
    const tree = application({
      nest: '^11.0.1',
      type: undefined,
      jest: { rootDir: 'src' },
    });
    const { manifest } = await run('nest-add', {}, tree);
    assert.equal(manifest().dependencies['@nestjs/config'], '^4.0.0');
    assert.deepEqual(manifest().jest, {
      rootDir: 'src',
      transformIgnorePatterns: ['/node_modules/(?!nestjs-agui/)'],
    });
  });

  it('should leave as it is what the application has already', async () => {
    const own = {
      dependencies: {
        '@ag-ui/client': '1.0.0',
        '@nestjs/common': '^12.0.1',
        '@nestjs/config': '12.0.1',
      },
      jest: { transformIgnorePatterns: ['mine'] },
    };
    const { tree } = await run('nest-add', {}, application(own));
    const before = tree.readContent('src/app.module.ts');
    const again = await run('nest-add', {}, tree);
    assert.equal(again.tree.readContent('src/app.module.ts'), before);
    assert.deepEqual(again.manifest(), { type: 'module', ...own });
    assert.deepEqual(again.installs, []);
  });

  it("should install with the application's package manager", async () => {
    const tree = application({ files: { 'pnpm-lock.yaml': '' } });
    assert.deepEqual((await run('nest-add', {}, tree)).installs, ['pnpm']);
  });

  it('should find the root module of a project in a monorepo', async () => {
    const tree = application({
      files: { 'apps/shop/src/shop.module.ts': MODULE },
    });
    await run('nest-add', { sourceRoot: 'apps/shop/src' }, tree).then(
      ({ tree }) => {
        assert.match(
          tree.readContent('apps/shop/src/shop.module.ts'),
          /AguiModule/,
        );
        assert.equal(tree.readContent('src/app.module.ts'), MODULE);
      },
    );
  });

  it('should say what to do where it cannot', async () => {
    const unreadable = MODULE.replace('imports: []', 'imports: IMPORTS');
    const tree = application({
      files: { 'apps/shop/src/shop.module.ts': unreadable },
    });
    const { log } = await run(
      'nest-add',
      { sourceRoot: 'apps/shop/src' },
      tree,
    );
    assert.deepEqual(log, [
      "warn: Add AguiModule.forRoot() to the imports of a module, with import { AguiModule } from 'nestjs-agui': " +
        'the module /apps/shop/src/shop.module.ts was left as it is, since its decorator has no list of imports to add to.',
    ]);
    const nowhere = await run('nest-add', { sourceRoot: 'nowhere' });
    assert.match(
      nowhere.log.join(),
      /the module of the application was left as it is, since there is none/,
    );
  });
});

describe('nest g -c nestjs-agui agent', () => {
  it('should generate an agent with its spec, and declare it', async () => {
    const { tree, log } = await run('agent', { name: 'weather' });
    assert.match(
      tree.readContent('src/weather/weather.agent.ts'),
      /@AguiAgent\('weather'\)\nexport class WeatherAgent /,
    );
    assert.match(
      tree.readContent('src/weather/weather.agent.spec.ts'),
      /from '\.\/weather\.agent\.js'/,
    );
    const module = tree.readContent('src/app.module.ts');
    assert.match(
      module,
      /import { WeatherAgent } from '\.\/weather\/weather\.agent\.js';/,
    );
    assert.match(module, /providers: \[WeatherAgent\]/);
    assert.deepEqual(log, []);
  });

  it('should import without an ending in a CommonJS application', async () => {
    const tree = application({ type: undefined });
    const { tree: result } = await run('agent', { name: 'weather' }, tree);
    assert.match(
      result.readContent('src/app.module.ts'),
      /from '\.\/weather\/weather\.agent';/,
    );
    assert.match(
      result.readContent('src/weather/weather.agent.spec.ts'),
      /from '\.\/weather\.agent';/,
    );
  });

  it('should name things as nest g does', async () => {
    const { tree } = await run('agent', {
      name: 'travel/TripPlanner',
      specFileSuffix: 'test',
    });
    assert.match(
      tree.readContent('src/travel/trip-planner/trip-planner.agent.ts'),
      /@AguiAgent\('trip-planner'\)\nexport class TripPlannerAgent /,
    );
    assert.ok(
      tree.exists('src/travel/trip-planner/trip-planner.agent.test.ts'),
    );
  });

  it('should declare the agent in the nearest module', async () => {
    const tree = application({
      files: { 'src/travel/travel.module.ts': MODULE },
    });
    const { tree: result } = await run(
      'agent',
      { name: 'trip', path: 'travel', flat: true, spec: false },
      tree,
    );
    assert.ok(result.exists('src/travel/trip.agent.ts'));
    assert.ok(!result.exists('src/travel/trip.agent.spec.ts'));
    assert.match(
      result.readContent('src/travel/travel.module.ts'),
      /import { TripAgent } from '\.\/trip\.agent\.js';/,
    );
    assert.equal(result.readContent('src/app.module.ts'), MODULE);
  });

  it('should reach a module in a folder above', async () => {
    const tree = application({ files: { 'libs/core/core.module.ts': MODULE } });
    const { tree: result } = await run(
      'agent',
      { name: 'trip', sourceRoot: 'libs/core/src' },
      tree,
    );
    assert.match(
      result.readContent('libs/core/core.module.ts'),
      /from '\.\/src\/trip\/trip\.agent\.js';/,
    );
  });

  it('should leave the module alone with --skip-import', async () => {
    const { tree } = await run('agent', { name: 'weather', skipImport: true });
    assert.equal(tree.readContent('src/app.module.ts'), MODULE);
    assert.ok(tree.exists('src/weather/weather.agent.ts'));
  });

  it('should refuse another language', async () => {
    await assert.rejects(run('agent', { name: 'weather', language: 'js' }), {
      message: 'An agent is generated in TypeScript only, not in "js".',
    });
  });
});
