// Tests a decision about an intent in doubt, by the function Resolve: the evidence first, then a question, then the
// exact yes to it.
import { expect, test } from 'vitest'
import { resolveAnswer } from '../../../core/contract/people.ts'
import { IntentKind } from '../../../core/contract/records.ts'
import { timing } from '../../../core/contract/timing.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { questionHash } from '../../../core/journal/persons-question.ts'
import type { ResolvePorts } from '../../../core/movements/resolve-doubt.ts'
import { resolve } from '../../../functions/resolve/resolve.ts'
import { FILLED_ORDER } from '../../helpers/fake-conversion-service.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const ADA = 'arn:aws:iam::123456789012:user/ada'
const said = (by: string) => ({ by, at: '2026-01-01T00:10:00.000Z', spoken: 'N#resolve#1' })
const PAST_FENCE_MS = Date.parse('2026-01-01T00:10:00Z')
const WORD = { action: 'resolve', kind: 'convert', intent: 'intent-1', because: 'seen', sameAccount: false } as const
const DONE = { ...WORD, movement: 'order-1' }
const NONE = { ...WORD, movement: null }

async function inDoubt() {
  let ids = 0
  const journal = createJournal(createMemoryStore(), () => `id-${++ids}`)
  const opened = await journal.open({
    ...{ intentId: 'intent-1', createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' },
    ...CONVERSION,
  })
  const sent = await journal.advance(opened, armed(opened, 'order-1'))
  const kid = sent.attempt?.kid ?? ''
  const service = {
    clock: { measure: async () => undefined, reachedMs: () => PAST_FENCE_MS },
    ...{ keyInUse: async () => kid, accountOfKey: async () => undefined, forgetKeys: () => undefined },
    findOrder: async (id: string) => (id === 'order-1' ? FILLED_ORDER : undefined),
  }
  const ports = {
    ...{ journal, service, timing: timing.parse({}), findPin: async () => undefined },
    clock: { nowMs: () => PAST_FENCE_MS },
  } as unknown as ResolvePorts
  const state = async () => (await journal.find('intent-1', IntentKind.Convert))?.state
  return { journal, ports, state }
}

/** A person answers by the amounts and the time, and not by two ids alone. */
const FACTS = ' It asked to buy 0.1 BTC for 5000 USDC, signed at 2026-01-01T00:00:00.000Z.'

test("nothing is recorded before the yes to the question, and then it is in the signer's name", async () => {
  const { journal, ports, state } = await inDoubt()
  const question = `settle intent intent-1 (conversion: sent, not proven yet) as done, with movement order-1?${FACTS}`
  expect(await resolve(DONE, said(ADA), ports)).toEqual({ outcome: 'ASKS', question })
  expect(await state()).toBe('ARMED')
  const answer = await resolve({ ...DONE, agreed: questionHash(question) }, said(ADA), ports)
  const resolution = { by: ADA, because: 'seen', at: '2026-01-01T00:10:00.000Z', movementId: 'order-1' }
  expect(resolveAnswer.parse(answer)).toEqual({ outcome: 'RESOLVED', state: 'DONE', resolution })
  expect(await journal.find('intent-1', IntentKind.Convert)).toMatchObject({
    state: 'DONE',
    ref: 'order-1',
    resolution: { ...resolution, spoken: said(ADA).spoken },
  })
  expect(await journal.findClaim(IntentKind.Convert, 'order-1')).toBe('intent-1')
})

test('a yes to another question settles nothing, and the right question is asked', async () => {
  const { ports, state } = await inDoubt()
  const agreed = questionHash('settle intent intent-1 (conversion: in doubt) as done, with movement order-1?')
  expect(await resolve({ ...DONE, agreed }, said(ADA), ports)).toMatchObject({ outcome: 'ASKS' })
  expect(await state()).toBe('ARMED')
})

test('a decision that the evidence contradicts is refused, whatever question was answered with yes', async () => {
  const { ports, state } = await inDoubt()
  const agreed = questionHash(
    `settle intent intent-1 (conversion: sent, not proven yet) as having moved nothing, for good?${FACTS}`,
  )
  await expect(resolve({ ...NONE, agreed }, said(ADA), ports)).rejects.toThrow('order order-1 exists')
  await expect(resolve({ ...DONE, movement: 'order-2' }, said(ADA), ports)).rejects.toThrow('only order order-1')
  expect(await state()).toBe('ARMED')
})
