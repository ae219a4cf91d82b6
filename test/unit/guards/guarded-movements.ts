// Movements for the tests of the movement guard, and the guard over a journal in memory. `startAnew` empties that
// journal.

import { guards as guardsSchema } from '../../../core/contract/guards.ts'
import { createMovementGuard, type GuardedMovement } from '../../../core/guards/movement-guard.ts'
import { createBudgets } from '../../../core/journal/budgets.ts'
import { createFloors } from '../../../core/journal/floors.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { zeroMove } from '../../../core/journal/moves.ts'
import { createPolicyNames } from '../../../core/journal/policy-names.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import { createMovementApprovals } from '../../../core/runs/approval/decisions-on-movement.ts'
import type { FloorReads } from '../../../core/service/ports.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { WITHDRAWAL } from '../../helpers/intents.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

export let store: MemoryStore

export let journal: Journal

let ids = 0

export const newId = () => `id-${++ids}`

export function startAnew(): void {
  store = createMemoryStore()
  journal = createJournal(store, newId)
}

export const NOON = Date.parse('2026-01-05T12:00:00Z')

export const MINUTE_MS = 60_000

const isUnread = () => Promise.reject(new Error('the service was asked'))
export const unread: FloorReads = {
  ...{
    balances: isUnread,
    findOrder: isUnread,
    keyInUse: isUnread,
    accountOfKey: isUnread,
    forgetKeys: () => undefined,
  },
}

/** `policies`: of treasury.json. */
export const refusingOf = (guards: object, policies: Parameters<typeof createPolicyNames>[1] = {}) =>
  createMovementGuard(
    { everywhere: guardsSchema.parse(guards), policies: { find: async () => undefined } },
    createBudgets(store, journal, newId),
    createFloors(store, journal, newId),
    createMovementApprovals(store, decisionKey),
    createPolicyNames(store, policies),
  )

/** Refuses with the sentence alone. By default a send at noon that could move within the minute. */
export function guardOf(guards: object, policies = {}) {
  const guard = refusingOf(guards, policies)
  const admit = async (movement: GuardedMovement, fromMs = NOON, toMs = fromMs + MINUTE_MS) =>
    (await guard.admit(movement, { fromMs, toMs }, unread))?.why
  return { ...guard, admit }
}

export const dec = (text: string) => parseDecimal(text, 'amount')

type Change = Partial<Omit<GuardedMovement, 'amount'>> & { readonly amount?: string }

export function withdrawal({ amount = '100', ...change }: Change = {}): GuardedMovement {
  return {
    ...{ intentId: 'intent-1', kind: 'withdraw' },
    ...{ assetSymbol: 'USDC', amount: dec(amount), contactId: 'vault', guards: {} },
    ...{ termsHash: 'terms', most: dec(amount), ...change },
  }
}

export function conversion(change: Change = {}): GuardedMovement {
  const { contactId: _, ...movement } = withdrawal(change)
  return { market: 'BTC-USDC', ...movement, kind: 'convert' }
}

export const open = (intentId: string): Promise<Intent> =>
  journal.open({
    ...{ ...WITHDRAWAL, intentId },
    ...{ createdAt: '2026-01-05T00:00:00Z', notAfter: '2026-01-06T00:00:00Z' },
  })

export const end = async (intent: Intent) => journal.advance(intent, zeroMove(intent, 'REJECTED', 'REJECTED', 'no'))
