// Writes the declarations of treasury.json as plain TypeScript, from the JSON Schema of the contract. So the published types
// of the construct need no schema library, which older ways of finding modules do not find.
import * as z from 'zod/mini'
import { treasury } from '../core/contract/treasury.ts'
import { describeFields } from '../core/treasury/field-descriptions.ts'

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly description?: string
}

/** Text of the declarations of `Treasury` and `TreasuryInput`. */
export function treasuryDeclarations(): string {
  const declare = (name: string, io: 'input' | 'output') =>
    `export type ${name} = ${typeOf(describeFields(z.toJSONSchema(treasury, { io }) as never) as Schema)};\n`
  return `${declare('Treasury', 'output')}/** The file as people write it, where a field with a default may be absent. */
${declare('TreasuryInput', 'input')}`
}

/** @throws TypeError for a form that the contract has not used until now */
function typeOf(schema: Schema): string {
  const { additionalProperties, items, properties, type } = schema
  const options = schema.oneOf ?? schema.anyOf
  if (options !== undefined) return `(${options.map(typeOf).join(' | ')})`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `(${schema.enum.map((value) => JSON.stringify(value)).join(' | ')})`
  if (type === 'array' && items !== undefined) return `readonly ${typeOf(items)}[]`
  if (type === 'object' && properties !== undefined) return fieldsOf(properties, schema.required ?? [])
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `{ readonly [name: string]: ${typeOf(additionalProperties)} }`
  }
  if (type === 'integer') return 'number'
  if (type === 'string' || type === 'number' || type === 'boolean') return type
  throw new TypeError(`no plain type for a schema of ${Object.keys(schema).join(', ')}`)
}

function fieldsOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const text = field.description === undefined ? '' : `/** ${field.description} */\n`
    const value = typeOf(field)
    return required.includes(name)
      ? `${text}readonly ${JSON.stringify(name)}: ${value};`
      : `${text}readonly ${JSON.stringify(name)}?: ${value} | undefined;`
  })
  return `{\n${fields.join('\n')}\n}`
}
