// Tests which sends are shown as not known yet, and by when that ends.
import { expect, test } from 'vitest'
import { createJournal } from '../../../../core/journal/journal.ts'
import { answeredMove } from '../../../../core/journal/moves.ts'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import { doubtsOf } from '../../../../operations/cases/doubts.ts'
import { knownWhen } from '../../../../views/runs/wait-words.ts'
import { armed, CONVERSION } from '../../../helpers/intents.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'

const TIMES = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
const SAID = {
  text: 'the gateway failed',
  code: 'bad_gateway',
  status: 502,
  business: false,
  keyAtFault: false,
} as never
const { timing } = parseTreasury(JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' } }))

async function sent({ isAnswered = false } = {}) {
  let ids = 0
  const journal = createJournal(createMemoryStore(), () => `stamp-${ids++}`)
  const opened = await journal.open({ intentId: 'one', ...CONVERSION, ...TIMES })
  const intent = await journal.advance(opened, armed(opened, 'order-one'))
  const signedMs = (intent.attempt?.iat ?? Number.NaN) * 1000
  const answered = isAnswered ? await journal.advance(intent, answeredMove(intent, SAID, signedMs)) : intent
  const at = (seconds: number, inNeed: readonly string[] = []) =>
    doubtsOf([opened, answered], new Set(inNeed), { nowMs: signedMs + seconds * 1000, timing })
  return { at, signedMs }
}

test('a send without an answer is in doubt once no answer can come any more, and says when that ends', async () => {
  const { at, signedMs } = await sent()
  expect(at(14)).toEqual([])
  const [doubt = expect.fail()] = at(15)
  expect(doubt).toMatchObject({ intentId: 'one', since: new Date(signedMs).toISOString(), isOverdue: false })
  const seconds = (Date.parse(doubt.until) - signedMs) / 1000
  expect(knownWhen(doubt)).toContain(`By ${doubt.until} it is known whether it moved`)
  expect(at(seconds + 1)).toMatchObject([{ isOverdue: true }])
})

test('a send that was answered without proof is in doubt at once, with the answer', async () => {
  const { at } = await sent({ isAnswered: true })
  expect(at(1)).toMatchObject([{ said: 'the gateway failed' }])
})

test('a send that needs a person is no doubt that ends by itself', async () => {
  const { at } = await sent()
  expect(at(60, ['one'])).toEqual([])
})
