/** A tool call's arguments, as an object and as its JSON text. */
export interface ToolArguments {
  input: Record<string, unknown>;
  content: string;
}

/**
 * Reads arguments as a model wrote them. What is no JSON object becomes the fallback, `{}` if there
 * is none; the text is always a JSON object.
 */
export function argumentsOf(
  text: string | undefined,
  fallback: Record<string, unknown> = {},
): ToolArguments {
  const parsed = parseObject(text);
  return parsed === undefined
    ? { input: fallback, content: JSON.stringify(fallback) }
    : { input: parsed, content: text! };
}

function parseObject(
  text: string | undefined,
): Record<string, unknown> | undefined {
  if (!text?.trim()) return undefined;
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
