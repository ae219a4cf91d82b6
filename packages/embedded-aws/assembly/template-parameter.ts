// Reads a template parameter: the given value or the default, checked as CloudFormation checks it.
import { Fields } from '../fields.ts'
import { Refusal } from '../refusal.ts'

/** Throws a Refusal that names the parameter. */
export function parameterValue(declaration: unknown, name: string, given: string | undefined, stack: string): string {
  const where = `${stack}, parameter ${name}`
  const fields = new Fields(declaration, where).ignore(['Description', 'NoEcho', 'ConstraintDescription'])
  const type = fields.text('Type')
  if (type !== 'String' && type !== 'Number') throw fields.refuse('Type', `${type} is not supported`)
  const fallback = fields.raw('Default')
  const value = given ?? (fallback === undefined ? undefined : String(fallback))
  if (value === undefined) throw new Refusal(where, 'has no default and was given no value')
  if (type === 'Number' && (value.trim() === '' || Number.isNaN(Number(value))))
    throw new Refusal(where, 'must be a number')

  const pattern = fields.findText('AllowedPattern')
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value)) {
    throw new Refusal(where, `must match ${pattern}`)
  }
  const allowed = fields.has('AllowedValues') ? fields.list('AllowedValues').map(String) : undefined
  if (allowed !== undefined && !allowed.includes(value))
    throw new Refusal(where, `must be one of ${allowed.join(', ')}`)
  fields.close()
  return value
}
