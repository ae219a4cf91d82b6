// The AsyncAPI document of the events is current and valid, and its messages accept the events of the page and no others.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { APPROVAL_AWAITED, FILE_REFUSED, RequestEvent, ResultEvent, SwitchEvent } from '../../core/contract/events.ts'
import { ASYNCAPI_FILE, asyncApiText } from '../docs/asyncapi.ts'
import { EVENT_SCHEMA_FOLDER } from '../docs/write-event-schemas.ts'

const document = JSON.parse(asyncApiText())
const messages: Record<string, { readonly name: string; readonly payload: object }> = document.components.messages

test('docs/events/asyncapi.json equals the output of `node test/docs/write-event-schemas.ts`', () => {
  expect(readFileSync(join(EVENT_SCHEMA_FOLDER, ASYNCAPI_FILE), 'utf8')).toBe(asyncApiText())
})

test('the AsyncAPI document has a message for each event', () => {
  const events = [RequestEvent, ResultEvent, SwitchEvent].flatMap((names) => Object.values<string>(names))
  expect(
    Object.values(messages)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...events, APPROVAL_AWAITED, FILE_REFUSED].sort())
})

describe('the published schema of AsyncAPI 3.0.0', () => {
  let findErrors: (text: string) => unknown
  beforeAll(() => {
    const file = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json')
    // Its own schema uses formats and words that the validator does not check.
    const ajv = new Ajv({ strict: false, validateFormats: false })
    ajv.addMetaSchema(JSON.parse(readFileSync(join(file, '../../definitions/3.0.0/schema.json'), 'utf8')))
    const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')))
    findErrors = (text) => (validate(JSON.parse(text)) ? undefined : validate.errors)
  })

  test('accepts the AsyncAPI document', () => {
    expect(findErrors(asyncApiText())).toBeUndefined()
  })

  test.each(['"address"', '"action"', '"title"', '"asyncapi"'])('refuses the document with %s misspelt', (field) => {
    expect(findErrors(asyncApiText().replace(field, '"misspelt"'))).toBeDefined()
  })
})

describe('the payload of a message', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  /** The references to files are resolved against the folder, as a generator does. */
  const check = (event: { readonly 'detail-type': string }) => {
    const message = Object.values(messages).find(({ name }) => name === event['detail-type'])
    const payload = JSON.parse(JSON.stringify(message?.payload), (key, value) => {
      if (key !== 'detail') return value
      const file = join(EVENT_SCHEMA_FOLDER, value.$ref)
      expect(existsSync(file), file).toBe(true)
      const { $schema: _draft, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
      return schema
    })
    return ajv.validate(payload, event)
  }
  const README = readFileSync(join(EVENT_SCHEMA_FOLDER, 'README.md'), 'utf8')
  const examples = [...README.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text))
  const requests = examples
    .flatMap((example) => (Array.isArray(example) ? example : []))
    .map(({ Source, DetailType, Detail }) => ({
      source: Source,
      'detail-type': DetailType,
      detail: JSON.parse(Detail),
    }))
  const [request] = requests
  const ended = examples.find((example) => example.source === 'sluice')

  test('accepts every event of the page', () => {
    expect(requests.map(check)).toEqual([true, true, true, true])
    expect(check(ended)).toBe(true)
  })

  test.each([
    ['a request in the name of Sluice', { ...request, source: 'sluice' }],
    ['a request of another version', { ...request, detail: { ...request?.detail, version: 2 } }],
    ['a request without an id', { ...request, detail: { ...request?.detail, id: undefined } }],
    ['an end from another source', { ...ended, source: 'payroll' }],
  ])('refuses %s', (_what, event) => {
    expect(check(JSON.parse(JSON.stringify(event)))).toBe(false)
  })
})
