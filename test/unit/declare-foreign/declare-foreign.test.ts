// Tests a declaration that a movement is foreign, as the function DeclareForeign takes it: first the movement and the
// doubts, then a question, then the yes to exactly that question.
import { expect, test } from 'vitest'
import { declareForeignAnswer } from '../../../core/contract/people.ts'
import { FOREIGN, IntentKind, IntentState } from '../../../core/contract/records.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { questionHash } from '../../../core/journal/persons-question.ts'
import { type DeclareForeignPorts, declareForeign } from '../../../functions/declare-foreign/declare-foreign.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const ADA = 'arn:aws:iam::123456789012:user/ada'
const BOB = 'arn:aws:iam::123456789012:user/bob'
const said = (by: string) => ({ by, at: '2026-01-01T01:00:00.000Z', spoken: 'N#declareForeign#1' })
const ORDER = { side: 'BUY', createdAt: '2026-01-01T00:00:00Z' }
const AN_HOUR_LATER_MS = Date.parse('2026-01-01T01:00:00Z')
const WORD = { action: 'foreign', movement: 'order-1', because: 'by hand', notOf: [] as string[] } as const
const QUESTION = "declare order order-1 to be somebody else's, for good?"

function world({ state, nowMs = AN_HOUR_LATER_MS }: { readonly state?: IntentState; readonly nowMs?: number } = {}) {
  let ids = 0
  const journal = createJournal(createMemoryStore(), () => `id-${++ids}`)
  const doubt = { intentId: 'i-1', kind: IntentKind.Convert, state, attempt: { orderId: 'order-1' } }
  const ports: DeclareForeignPorts = {
    journal,
    service: { findWithdrawal: async () => undefined, findOrder: async (id) => (id === 'order-1' ? ORDER : undefined) },
    openIntents: async () => (state === undefined ? [] : [doubt as unknown as Intent]),
    clock: { nowMs: () => nowMs },
  }
  return { journal, ports, word: () => journal.findForeign(IntentKind.Convert, 'order-1') }
}

test("nothing is recorded before the yes to the question, and then it is in the signer's name", async () => {
  const { journal, ports, word } = world()
  expect(await declareForeign(WORD, said(ADA), ports)).toEqual({ outcome: 'ASKS', question: QUESTION })
  expect(await word()).toBeUndefined()
  const answer = await declareForeign({ ...WORD, agreed: questionHash(QUESTION) }, said(ADA), ports)
  const foreign = { by: ADA, because: 'by hand', at: '2026-01-01T01:00:00.000Z' }
  expect(declareForeignAnswer.parse(answer)).toEqual({ outcome: 'DECLARED', foreign, waiting: [] })
  expect(await word()).toEqual({ ...foreign, spoken: said(ADA).spoken })
  expect(await journal.findClaim(IntentKind.Convert, 'order-1')).toBe(FOREIGN)
  // The first declaration stays, and a repetition names its author.
  const again = await declareForeign({ ...WORD, agreed: questionHash(QUESTION) }, said(BOB), ports)
  expect(again).toEqual({ outcome: 'DECLARED', foreign, waiting: [] })
})

test('a movement that an intent in doubt may have made is refused, or asked about with that name', async () => {
  const escalated = world({ state: IntentState.Escalated })
  await expect(declareForeign(WORD, said(ADA), escalated.ports)).rejects.toThrow('--not-of i-1')
  const named = { ...WORD, notOf: ['i-1'] }
  // The doubt arose after the question that the person saw.
  expect(await declareForeign({ ...named, agreed: questionHash(QUESTION) }, said(ADA), escalated.ports)).toMatchObject({
    ...{ outcome: 'ASKS', question: expect.stringContaining('though it may be the movement of i-1') },
  })
  expect(await escalated.word()).toBeUndefined()
  const armed = world({ state: IntentState.Armed })
  await expect(declareForeign(named, said(ADA), armed.ports)).rejects.toThrow('enter it again first')
})

test('a movement of this moment is refused, because its own intent may not be listed yet', async () => {
  const { ports, word } = world({ nowMs: Date.parse('2026-01-01T00:04:59Z') })
  await expect(declareForeign({ ...WORD, agreed: questionHash(QUESTION) }, said(ADA), ports)).rejects.toThrow(
    'repeat the command from 2026-01-01T00:05:00.000Z on',
  )
  expect(await word()).toBeUndefined()
})
