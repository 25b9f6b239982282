import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { AgentEventType, AguiErrorCode } from 'nestjs-agui';
import {
  camelOf,
  PROPERTY_NAMES,
  resolveProperties,
} from '../../src/agui-properties.parser.js';
import { section } from '../support/markdown.js';
import { page, readme, rowsOf } from '../support/documentation.js';

describe('What the documentation lists', () => {
  it('should have a table of all options with their defaults', () => {
    const rows = rowsOf(section(page('configuration'), 'Options')).map(
      ([name, value]) => [camelOf(name), value],
    );
    expect(rows.map(([name]) => name).sort()).toEqual(
      [...PROPERTY_NAMES].sort(),
    );
    expect(resolveProperties(Object.fromEntries(rows) as object)).toEqual(
      resolveProperties(),
    );
  });

  it('should have a table of all options of AiSdkAgent with their defaults', () => {
    const file = 'src/ai-sdk/ai-sdk-agent-options.ts';
    const source = ts.createSourceFile(
      file,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
    );
    const options = source.statements
      .filter(ts.isInterfaceDeclaration)
      .find(({ name }) => name.text === 'AiSdkAgentOptions')!
      .members.map((member) => (member.name as ts.Identifier).text);
    const rows = new Map(rowsOf(page('ai-sdk-agent')));
    expect([...rows.keys()].toSorted()).toEqual(options.toSorted());
    const wrong = [...rows].filter(([name, value]) => {
      const comment = new RegExp(
        `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s+${name}\\??:`,
      ).exec(source.text)![1]!;
      const told = /Default:? `?(\w+)/.exec(comment)?.[1];
      return /^\w+$/.test(value) && told !== undefined && value !== told;
    });
    expect(wrong).toEqual([]);
  });

  it('should name every agent event', () => {
    const told = new Set(
      [
        ...section(page('agents'), 'What an agent says').matchAll(
          /`([A-Z_]+)`/g,
        ),
      ].map(([, name]) => name!),
    );
    expect(
      Object.keys(AgentEventType).filter((name) => !told.has(name)),
    ).toEqual([]);
  });

  it('should name every code of an error', () => {
    const told = rowsOf(section(page('http'), 'Errors')).map(([code]) => code);
    const thrown = ['src/ai-sdk', 'src/adapter'].flatMap((path) =>
      readdirSync(path)
        .filter((file) => /^[^.]+(\.[a-z]+)?\.ts$/.test(file))
        .filter((file) => !file.endsWith('.spec.ts'))
        .flatMap((file) => [
          ...readFileSync(join(path, file), 'utf8').matchAll(
            /new AguiError\([^;]*?'([A-Z]+_[A-Z_]+)'/g,
          ),
        ])
        .map(([, code]) => code!),
    );
    expect(thrown).toContain('MAX_ITERATIONS');
    expect(told).toEqual(
      expect.arrayContaining([...Object.values(AguiErrorCode), ...thrown]),
    );
  });

  it('should name the agents of the sample', () => {
    const path = 'sample-app/src/agents';
    const ids = readdirSync(path).flatMap(
      (file) =>
        /@AguiAgent\('(\w+)'\)/.exec(
          readFileSync(join(path, file), 'utf8'),
        )?.[1] ?? [],
    );
    const told = rowsOf(section(readme, 'The sample application')).map(
      ([id]) => id,
    );
    expect(told.toSorted()).toEqual(ids.toSorted());
  });

  it('should justify every dependency', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    ) as Record<string, Record<string, string>>;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      expect(section(readme, 'Dependencies')).toContain(`\`${name}\``);
  });
});
