// Owns treasury.schema.json, the JSON Schema with which an editor completes treasury.json. `node
// core/treasury/write-schema.ts` generates it from core/contract/treasury.ts. A test keeps it current.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { treasury } from '../contract/treasury.ts'
import { describeFields, type Schema } from './field-descriptions.ts'

export const SCHEMA_FILE = fileURLToPath(new URL('../../treasury.schema.json', import.meta.url))

/** Text of treasury.schema.json: draft 7, which most editors support, for the input before defaults. */
export function treasurySchemaText(): string {
  const schema = describeFields(z.toJSONSchema(treasury, { target: 'draft-7', io: 'input' }) as object as Schema)
  return `${JSON.stringify({ title: 'treasury.json of Sluice', ...schema }, null, 2)}\n`
}

if (import.meta.main) writeFileSync(SCHEMA_FILE, treasurySchemaText())
