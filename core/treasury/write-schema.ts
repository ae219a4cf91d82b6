// Owns treasury.schema.json: the JSON Schema that an editor completes treasury.json by. It is generated
// from core/contract/treasury.ts by `node core/treasury/write-schema.ts`; a test keeps it current.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { treasury } from '../contract/treasury.ts'

export const SCHEMA_FILE = fileURLToPath(new URL('../../treasury.schema.json', import.meta.url))

/** Text of treasury.schema.json: draft 7, which editors know best; what a person writes, before defaults. */
export function treasurySchemaText(): string {
  const schema = z.toJSONSchema(treasury, { target: 'draft-7', io: 'input' })
  return `${JSON.stringify({ title: 'treasury.json of Sluice', ...schema }, null, 2)}\n`
}

if (import.meta.main) writeFileSync(SCHEMA_FILE, treasurySchemaText())
