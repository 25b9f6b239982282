/** A tool call's arguments, as an object and as its JSON text. */
export interface ToolArguments {
  input: Record<string, unknown>;
  content: string;
}

/**
 * Reads arguments as a model wrote them. What is no JSON object becomes the fallback, `{}` if that is
 * none either; the text is always a JSON object.
 */
export function argumentsOf(text: unknown, fallback?: unknown): ToolArguments {
  const parsed = parseObject(text);
  if (parsed !== undefined) return { input: parsed, content: text as string };
  const input = isPlainObject(fallback) ? fallback : {};
  return { input, content: JSON.stringify(input) };
}

function parseObject(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object, neither `null` nor a list. */
export function isPlainObject(
  value: unknown,
): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
