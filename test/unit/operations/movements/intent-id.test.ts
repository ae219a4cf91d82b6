// The same id given by a person is always the same movement.
import { expect, test } from 'vitest'
import { intentId } from '../../../../core/contract/fields.ts'
import { idMadeOf, newRunId, parseRunId } from '../../../../operations/movements/intent-id.ts'

test('an id always gives the same intent', () => {
  expect(idMadeOf('convert', 'invoice-2041')).toBe('cv-50e546b3cb886623ee3ade755ac4e611')
})

test.each(['a', 'ä b/c', 'x'.repeat(200)])('the intent of id %j is a valid execution name', (id) => {
  expect(intentId.safeParse(idMadeOf('convert', parseRunId(id))).success).toBe(true)
})

test.each(['', 'x'.repeat(201), 'line\nbreak', 'bell\u0007'])('id %j is refused', (id) => {
  expect(() => parseRunId(id)).toThrow(/^id: expected 1 to 200 printable characters/)
})

test('a run without an id gets an unused one', () => {
  expect(newRunId()).toMatch(/^run-[0-9a-f]{16}$/)
  expect(newRunId()).not.toBe(newRunId())
})
