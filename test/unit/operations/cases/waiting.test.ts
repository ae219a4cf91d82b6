// A doubt is found among all open intents, however many of them were never sent.
import { expect, test } from 'vitest'
import type { Intent } from '../../../../core/journal/intent.ts'
import { readArmed } from '../../../../operations/cases/waiting.ts'

const PART = 3
/** A list in parts. The search reads the id and the state of each intent. */
function listOf(states: readonly string[]) {
  let parts = 0
  const readPart = async (after: string | undefined) => {
    parts += 1
    const from = after === undefined ? 0 : Number(after) + 1
    const intents = states
      .slice(from, from + PART)
      .map((state, at) => ({ intentId: String(from + at), state }) as Intent)
    return { intents, ...(from + PART < states.length && { lookedAtUpTo: String(from + PART - 1) }) }
  }
  return { readPart, parts: () => parts }
}
const ready = (count: number) => Array.from({ length: count }, () => 'READY')

test('an intent in doubt is found behind several parts of unsent intents', async () => {
  const { readPart } = listOf([...ready(10), 'ARMED', 'ESCALATED'])
  const { armed, isCutOff } = await readArmed(readPart)
  expect([armed.map(({ intentId }) => intentId), isCutOff]).toEqual([['10'], false])
})

test('a bounded number of parts is read, and the bound is reported', async () => {
  const { readPart, parts } = listOf(ready(1_000))
  expect(await readArmed(readPart)).toEqual({ armed: [], isCutOff: true })
  expect(parts()).toBe(20)
})
