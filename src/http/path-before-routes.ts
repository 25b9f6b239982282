import { VersioningType, type Type } from '@nestjs/common';
import {
  ModulesContainer,
  type ApplicationConfig,
  type ModuleRef,
} from '@nestjs/core';

/** Where Nest's `RouterModule` leaves the path of a module, for one application. */
const MODULE_PATH = '__module_path__';

/**
 * What may stand before a module's own paths, as a regular expression: the application's global
 * prefix, a version, the path that `RouterModule` gives the module. Routes may be excluded from the
 * prefix and have no version, so each may be missing.
 */
export function pathBeforeRoutes(moduleRef: ModuleRef, module: Type): string {
  const config = configOf(moduleRef);
  const prefix = pathPattern(config?.getGlobalPrefix());
  return (
    optional(prefix) +
    optional(versionPattern(config?.getVersioning())) +
    optional(pathPattern(modulePathOf(moduleRef, module)))
  );
}

/** A path as a regular expression; `:name` is any segment. */
export function pathPattern(path: string | undefined): string {
  return (path ?? '')
    .split('/')
    .filter(Boolean)
    .map((segment) =>
      segment.startsWith(':')
        ? '/[^/]+'
        : `/${segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`,
    )
    .join('');
}

function versionPattern(
  versioning: ReturnType<ApplicationConfig['getVersioning']>,
): string {
  if (versioning?.type !== VersioningType.URI) return '';
  const { prefix = 'v' } = versioning;
  return `/${prefix === false ? '' : prefix}[^/]+`;
}

function optional(pattern: string): string {
  return pattern && `(?:${pattern})?`;
}

/** The path that `RouterModule` gives a module. */
export function modulePathOf(
  moduleRef: ModuleRef,
  module: Type,
): string | undefined {
  const { applicationId } = moduleRef.get(ModulesContainer, { strict: false });
  return (Reflect.getMetadata(MODULE_PATH + applicationId, module) ??
    Reflect.getMetadata(MODULE_PATH, module)) as string | undefined;
}

// Nest gives modules no other way to its configuration.
export function configOf(moduleRef: ModuleRef): ApplicationConfig | undefined {
  const { container } = moduleRef as unknown as {
    container?: { applicationConfig?: ApplicationConfig };
  };
  return container?.applicationConfig;
}
