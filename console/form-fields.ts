// Reads the fields of a sent form as texts. Their length is bounded by that of the form; the commands check their content.
import type { Context } from 'hono'

export interface Form {
  /** Empty for a missing field. */
  text(name: string): string
  /** The values of a field that a form may send several times. */
  texts(name: string): readonly string[]
}

export async function readForm(context: Context): Promise<Form> {
  const fields = await context.req.parseBody({ all: true })
  const texts = (name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : []
    return [value].flat().flatMap((each) => (typeof each === 'string' ? [each.trim()] : []))
  }
  return { text: (name) => texts(name).at(-1) ?? '', texts }
}
