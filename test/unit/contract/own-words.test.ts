// A module that imports all of zod sets the language of zod's messages for the whole process. Our messages about a
// refused value must not depend on it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { assertFits } from '../../../core/journal/record-format.ts'
import { parseWith } from '../../../core/parse.ts'
import { decodeAnswer } from '../../../core/service/reader.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { readTiming } from '../../../functions/runtime/environment.ts'
import { parseRequest } from '../../../operations/runs/run-input.ts'

const schema = z.object({
  text: z.string(),
  word: z.enum(['a', 'b']),
  many: z.array(z.string()).check(z.minLength(2)),
  either: z.union([z.string(), z.number()]),
})
const wrong = { text: 1, word: 'c', many: ['one'], either: true }
const answer = { kind: 'answered', status: 200, contentType: 'application/json', date: '', fault: undefined } as const
const body = Buffer.from(JSON.stringify(wrong))

let before: typeof setting.localeError
const setting = z.config()
beforeEach(() => {
  before = setting.localeError
})
afterEach(() => {
  setting.localeError = before
})

test.each<[string, () => unknown]>([
  ['the input of a function', () => parseWith(schema, wrong, 'input')],
  ['the input of a command', () => parseRequest(body.toString(), schema)],
  ['a record', () => assertFits(schema, wrong, 'I#x')],
  ['an answer', () => decodeAnswer('GET /v2/x', { ...answer, body }, z.pick(schema, { word: true }))],
  ['treasury.json', () => parseTreasury('{"service":{"url":1,"stage":"other"},"policies":[]}')],
  ['a variable', () => readTiming({ SLUICE_TIMING: 'null' })],
])('%s is refused with the same message, whatever language zod has', (_, refuse) => {
  delete setting.localeError
  const words = messageOf(refuse)
  setting.localeError = () => 'canary'
  expect(messageOf(refuse)).toBe(words)
})

function messageOf(refuse: () => unknown): string {
  try {
    refuse()
  } catch (error) {
    return (error as Error).message
  }
  return expect.unreachable('it was taken')
}
