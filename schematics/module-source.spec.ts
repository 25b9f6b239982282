import { describe, expect, it } from 'vitest';
import { declareInModule, type Declaration } from './module-source.js';

const AGUI: Declaration = {
  list: 'imports',
  element: 'AguiModule.forRoot()',
  symbol: 'AguiModule',
  from: 'nestjs-agui',
};

describe('The declaration in a module', () => {
  it('should follow what the list has', () => {
    const source = `import { Module } from '@nestjs/common';
import {
  CatsModule,
} from './cats/cats.module.js';

@Module({
  imports: [
    CatsModule,
  ],
})
export class AppModule {}
`;
    expect(declareInModule(source, AGUI)).toBe(
      `import { Module } from '@nestjs/common';
import {
  CatsModule,
} from './cats/cats.module.js';
import { AguiModule } from 'nestjs-agui';

@Module({
  imports: [
    CatsModule,
    AguiModule.forRoot(),
  ],
})
export class AppModule {}
`,
    );
  });

  it('should make the list, if there is none', () => {
    const source = `import { Module } from "@nestjs/common"
@Module({ providers: [] })
export class AppModule {}
`;
    expect(declareInModule(source, AGUI)).toBe(
      `import { Module } from "@nestjs/common"
import { AguiModule } from 'nestjs-agui';
@Module({ providers: [], imports: [AguiModule.forRoot()] })
export class AppModule {}
`,
    );
  });

  it('should fill a decorator that is empty', () => {
    const source = `import { Module } from '@nestjs/common';
@Module({})
export class AppModule {}
`;
    expect(declareInModule(source, AGUI)).toContain(
      'imports: [AguiModule.forRoot()]',
    );
  });

  it('should be made once', () => {
    const source = `import { Module } from '@nestjs/common';
@Module({ imports: [] })
export class AppModule {}
`;
    const once = declareInModule(source, AGUI);
    expect(once).not.toBe(source);
    expect(declareInModule(once, AGUI)).toBe(once);
  });

  it('should not take a comment for an import', () => {
    const source = `import { Module } from '@nestjs/common';
// AguiModule comes later
@Module({ imports: [] })
export class AppModule {}
`;
    expect(declareInModule(source, AGUI)).toContain(
      'imports: [AguiModule.forRoot()]',
    );
  });

  it.each([
    ['that is no literal', '@Module({ imports: IMPORTS })'],
    ['in a decorator without an object', '@Module(metadata)'],
    ['without a decorator', ''],
  ])('should refuse a list %s', (_name, decorator) => {
    const source = `import { Module } from '@nestjs/common';
${decorator}
export class AppModule {}
`;
    expect(() => declareInModule(source, AGUI)).toThrow(
      'its decorator has no list of imports to add to',
    );
  });
});
