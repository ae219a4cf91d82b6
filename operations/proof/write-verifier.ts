// Owns the lists that docs/verify-proof.mjs shares with `proof check`: the shapes of records and parts, and the fields
// that an approval covers. `node operations/proof/write-verifier.ts` writes them into that file, because the file is
// handed over alone. A test keeps them current. Hashes, signatures and rules are programmed twice.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { RECORD_FORMAT } from '../../core/contract/records.ts'
import { acceptedFields } from '../../core/journal/accepted-requests.ts'
import { intentFields, SETTLED } from '../../core/journal/intent-record.ts'
import { PLAN_HASH } from '../../core/planning/plan-hash.ts'
import { decisionFields } from '../../core/runs/approval/decisions.ts'
import { requesterFields } from '../../core/runs/approval/requesters.ts'
import { runRecord } from '../../core/runs/record/run-record.ts'
import { about, record, service } from './proof-parts.ts'

export const VERIFIER_FILE = fileURLToPath(new URL('../../docs/verify-proof.mjs', import.meta.url))

/** By the names by which the verifier asks for them. */
const SHAPES = z.object({
  ...{ about, service, record },
  ...{
    run: runRecord,
    requester: requesterFields,
    decisions: decisionFields,
    accepted: acceptedFields,
    intent: intentFields,
  },
  convert: z.object(SETTLED.convert),
  withdraw: z.object(SETTLED.withdraw),
})

const LINE = /^const LISTS = JSON\.parse\(String\.raw`.*`\)$/m

/** Text of docs/verify-proof.mjs with the lists of this release. */
export function verifierText(): string {
  const { properties, $defs } = z.toJSONSchema(SHAPES, { io: 'input', reused: 'ref', override: dropDefaults })
  const lists = JSON.stringify({ format: RECORD_FORMAT, planHash: PLAN_HASH, shapes: properties, $defs }).replaceAll(
    /(?:#\/\$defs\/)?__schema(\d+)/g,
    '$1',
  )
  const source = readFileSync(VERIFIER_FILE, 'utf8')
  if (!LINE.test(source) || /[`$]\{|`/.test(lists)) throw new TypeError('the lists have no place in the verifier')
  return source.replace(LINE, () => `const LISTS = JSON.parse(String.raw\`${lists}\`)`)
}

function dropDefaults({ jsonSchema }: { readonly jsonSchema: { default?: unknown; readOnly?: unknown } }): void {
  delete jsonSchema.default
  delete jsonSchema.readOnly
}

if (import.meta.main) writeFileSync(VERIFIER_FILE, verifierText())
