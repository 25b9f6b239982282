/** What an extension class is for. */
export type ExtensionKind =
  | 'agent'
  | 'converter'
  | 'enricher'
  | 'context-resolver'
  | 'adapter-factory'
  | 'run-observer'
  | 'registry-customizer';

/** The mark that a decorator leaves on an extension class. */
export interface ExtensionMark {
  kind: ExtensionKind;
  /** What was given to the decorator. */
  options: unknown;
}

// One symbol even if two copies of the package are installed.
const MARK = Symbol.for('nestjs-agui:extension');

/** Marks a class as an extension. */
export function markExtension(
  kind: ExtensionKind,
  options?: unknown,
): ClassDecorator {
  return (target) => {
    const marks = [...marksOf(target), { kind, options }];
    Reflect.defineMetadata(MARK, marks, target);
  };
}

/** The marks of a class and of the classes it extends. */
export function marksOf(target: object): readonly ExtensionMark[] {
  return (Reflect.getMetadata(MARK, target) as ExtensionMark[]) ?? [];
}
