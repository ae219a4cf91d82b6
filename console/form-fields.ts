// Reads the fields of a sent form as texts. Their length is bounded by that of the form; the commands check their content.
import type { Context } from 'hono'

export interface Form {
  /** Empty for a missing field. */
  text(name: string): string
}

export async function readForm(context: Context): Promise<Form> {
  const fields = await context.req.parseBody()
  return {
    text(name) {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      return typeof value === 'string' ? value.trim() : ''
    },
  }
}
