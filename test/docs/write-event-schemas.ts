// Writes docs/events/*.schema.json, a JSON Schema for the `detail` of each event, and docs/events/asyncapi.json, for others
// who write or read them.
// `node test/docs/write-event-schemas.ts` generates the files from core/contract/events.ts; a test keeps them current.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import {
  APPROVAL_AWAITED,
  awaitedDetail,
  EVENT_VERSION,
  FILE_REFUSED,
  fileRefusedDetail,
  requestDetail,
  resultDetail,
  SET_BY_SLUICE,
  switchDetail,
} from '../../core/contract/events.ts'
import { ASYNCAPI_FILE, asyncApiText, schemaFileOf } from './asyncapi.ts'

export const EVENT_SCHEMA_FOLDER = fileURLToPath(new URL('../../docs/events', import.meta.url))

/** Texts of the schemas by file name, in draft 7, which most tools support. */
export function eventSchemas(): ReadonlyMap<string, string> {
  const details = Object.entries({
    ...{ ...requestDetail, ...resultDetail, ...switchDetail },
    [APPROVAL_AWAITED]: awaitedDetail,
    [FILE_REFUSED]: fileRefusedDetail,
  })
  return new Map(details.map(([detailType, schema]) => textOf(detailType, schema)))
}

function textOf(detailType: string, schema: z.ZodMiniType): [file: string, text: string] {
  const title = `detail of "${detailType}", version ${EVENT_VERSION}`
  // Uses the input form, so that a new field in a result breaks no checker.
  const json = { title, ...z.toJSONSchema(schema, { target: 'draft-7', io: 'input', override: removeOwnFields }) }
  return [schemaFileOf(detailType), `${JSON.stringify(json, null, 2)}\n`]
}

/** Removes the fields that an event may not set. */
function removeOwnFields({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const field of SET_BY_SLUICE) delete jsonSchema.properties?.[field]
}

if (import.meta.main) {
  for (const [file, text] of eventSchemas()) writeFileSync(join(EVENT_SCHEMA_FOLDER, file), text)
  writeFileSync(join(EVENT_SCHEMA_FOLDER, ASYNCAPI_FILE), asyncApiText())
}
