// The fields of a form that was sent. Each is one text of a bounded length; the commands check what it says.
import type { Context } from 'hono'

export interface Form {
  /** Empty where there is none. */
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
