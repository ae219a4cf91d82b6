// A target of a rule receives the event, a part of it, a constant, or a template filled from it.
import { expect, test } from 'vitest'
import { readTargetInput } from '../../events/target-input.ts'
import { Fields } from '../../fields.ts'

const EVENT = { id: 'e-1', detail: { text: 'a "quoted" <b>', list: [1, 2], object: { k: 'v' }, 'version-id': 'v-1' } }
const RULE = { name: 'rule', arn: 'arn:rule' }
const inputOf = (target: object) => readTargetInput(new Fields(target, 'Target'))(EVENT, RULE)
const transformed = (InputTemplate: string) =>
  inputOf({
    InputTransformer: {
      InputPathsMap: {
        text: '$.detail.text',
        list: '$.detail.list',
        object: '$.detail.object',
        gone: '$.detail.gone',
        version: '$.detail.version-id',
      },
      InputTemplate,
    },
  })

test('by default a target gets the whole event', () => {
  expect(inputOf({})).toBe(JSON.stringify(EVENT))
})

test('a target can get a part of the event, or a constant', () => {
  expect(inputOf({ InputPath: '$.detail.object' })).toBe('{"k":"v"}')
  expect(inputOf({ Input: '{"fixed":true}' })).toBe('{"fixed":true}')
})

test.each([
  ['{"a":<text>,"b":<list>}', '{"a":"a \\"quoted\\" <b>","b":[1,2]}'],
  ['{"a":"was <text>, in <object>"}', '{"a":"was a \\"quoted\\" <b>, in {\\"k\\":\\"v\\"}"}'],
  ['{"a":"was <gone>."}', '{"a":"was ."}'],
  ['{"a":<version>}', '{"a":"v-1"}'],
  ['"only <text>"', '"only a \\"quoted\\" <b>"'],
  ['{"rule":<aws.events.rule-name>,"arn":"<aws.events.rule-arn>"}', '{"rule":"rule","arn":"arn:rule"}'],
  ['<aws.events.event.json>', JSON.stringify(EVENT)],
])('a template inserts values: %s', (template, text) => {
  expect(transformed(template)).toBe(text)
})

test('a template whose result is not JSON gives no input', () => {
  expect(transformed('{"a":<gone>}')).toBeUndefined()
})

test.each<[object, string]>([
  [{ Input: '{' }, 'Target.Input: must be JSON'],
  [{ Input: '{}', InputPath: '$' }, 'Target.InputPath: cannot be given together with Input'],
  [{ InputPath: '$.a[*]' }, 'Target.InputPath'],
  [{ InputTransformer: { InputTemplate: '<x>' } }, '<x> is not in InputPathsMap'],
  [{ InputTransformer: { InputTemplate: '<aws.events.event>' } }, '<aws.events.event> is not supported'],
])('%j is refused', (target, message) => {
  expect(() => inputOf(target)).toThrow(message)
})
