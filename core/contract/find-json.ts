// Reads a text that may be anything as JSON. Pure.

/** Undefined for a text that is not JSON, or for no text. */
export function findJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** The fields of an object or a list; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return value === null || typeof value !== 'object' ? {} : { ...value }
}
