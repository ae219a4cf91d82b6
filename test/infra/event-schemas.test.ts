// The published schemas and the page of events are those of the code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  APPROVAL_AWAITED,
  FILE_REFUSED,
  RequestEvent,
  ResultEvent,
  requestDetail,
  SwitchEvent,
} from '../../core/contract/events.ts'
import { EVENT_SCHEMA_FOLDER, eventSchemas } from '../docs/write-event-schemas.ts'

const README = readFileSync(join(EVENT_SCHEMA_FOLDER, 'README.md'), 'utf8')

test('docs/events equals the output of `node test/docs/write-event-schemas.ts`, and has no other schema', () => {
  const files = readdirSync(EVENT_SCHEMA_FOLDER).filter((file) => file.endsWith('.schema.json'))
  expect(files.sort()).toEqual([...eventSchemas().keys()].sort())
  for (const [file, text] of eventSchemas()) {
    expect(readFileSync(join(EVENT_SCHEMA_FOLDER, file), 'utf8'), file).toBe(text)
  }
})

test('each event has a schema, and the page of events names it and its file', () => {
  const told = [...Object.values(ResultEvent), ...Object.values(SwitchEvent), APPROVAL_AWAITED, FILE_REFUSED]
  const events = [...Object.values(RequestEvent), ...told]
  expect(eventSchemas().size).toBe(events.length)
  for (const event of events) expect(README).toContain(`\`${event}\``)
  for (const file of eventSchemas().keys()) expect(README).toContain(`(${file})`)
})

/** JSON blocks in the page that show the detail of a request. */
const examples = [...README.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text))

test('every request in the page is valid', () => {
  const details = examples.flatMap((example) => (Array.isArray(example) ? example : []))
  expect(details.map(({ DetailType }) => DetailType).sort()).toEqual(Object.values(RequestEvent).sort())
  for (const { DetailType, Detail } of details) {
    const schema = requestDetail[DetailType as RequestEvent]
    expect(schema.safeParse(JSON.parse(Detail)).error, DetailType).toBeUndefined()
  }
})
