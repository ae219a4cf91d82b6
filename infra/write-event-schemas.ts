// Owns docs/events/*.schema.json: a JSON Schema for the `detail` of each event, by which others check what
// they put and read. Generated from core/contract/events.ts by `node infra/write-event-schemas.ts`; a test
// keeps them current.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import {
  APPROVAL_AWAITED,
  awaitedDetail,
  EVENT_VERSION,
  requestDetail,
  resultDetail,
  SET_BY_SLUICE,
  switchDetail,
} from '../core/contract/events.ts'

export const EVENT_SCHEMA_FOLDER = fileURLToPath(new URL('../docs/events/', import.meta.url))

/** Texts of the schemas, by the name of their file. Draft 7, which tools know best. */
export function eventSchemas(): ReadonlyMap<string, string> {
  const details = Object.entries({
    ...{ ...requestDetail, ...resultDetail, ...switchDetail },
    [APPROVAL_AWAITED]: awaitedDetail,
  })
  return new Map(details.map(([detailType, schema]) => textOf(detailType, schema)))
}

function textOf(detailType: string, schema: z.ZodMiniType): [file: string, text: string] {
  const title = `detail of "${detailType}", version ${EVENT_VERSION}`
  // As input, so that a field which is added to a result breaks nobody who checks it.
  const json = { title, ...z.toJSONSchema(schema, { target: 'draft-7', io: 'input', override: leaveOut }) }
  return [`${detailType.toLowerCase().replaceAll(' ', '-')}.schema.json`, `${JSON.stringify(json, null, 2)}\n`]
}

/** What an event may not set is not offered. */
function leaveOut({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const field of SET_BY_SLUICE) delete jsonSchema.properties?.[field]
}

if (import.meta.main) {
  for (const [file, text] of eventSchemas()) writeFileSync(join(EVENT_SCHEMA_FOLDER, file), text)
}
