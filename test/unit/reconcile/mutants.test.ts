// Naive variants of the audit. Each tells something else than the audit, in a world in which movements are dated to the day.
import { describe, expect, test } from 'vitest'
import { IntentState } from '../../../core/contract/records.ts'
import type * as Product from '../../../functions/reconcile/reconcile.ts'
import { builtVariant } from '../../mutants/built-variant.ts'
import { type Edit, edit } from '../../mutants/source-edits.ts'
import { armedAt, audit, entry, ledgerOf, payment, startAnew, withdrawal, world } from './audited-world.ts'

const RECONCILE = 'functions/reconcile/reconcile.ts'
const TOLD_BEFORE = 'functions/reconcile/told-before.ts'
const createdAt = '2026-02-01T00:00:00.000Z'
const own = { ...withdrawal, id: 'own', createdAt }

/** What each change of the world makes the next audits tell. */
const WORLDS = {
  'somebody else withdraws': [
    ['unclaimed_movement'],
    () => {
      world.withdrawals = [withdrawal, { ...withdrawal, id: 'theirs', createdAt }]
    },
  ],
  'an audit comes while a withdrawal is under way': [
    [],
    (audits: number) => {
      const attempt = armedAt(new Date(world.nowS * 1000).toISOString())
      const intent = { ...payment, intentId: 'withdraw-2', ref: own.id, attempt }
      world.intents = [...world.intents.slice(0, 2), { ...intent, state: audits === 0 ? IntentState.Armed : 'DONE' }]
      world.withdrawals = [withdrawal, own]
      if (audits > 0) world.claims['withdraw own'] = 'withdraw-2'
    },
  ],
  'an audit comes before a withdrawal shows, whose entry shows': [
    [],
    (audits: number) => {
      world.isShared = true
      world.ledger = [
        ...ledgerOf({ ...world, withdrawals: [withdrawal] }),
        entry({ type: 'withdrawal', id: 'own' }, '100', { createdAt }),
      ]
      world.withdrawals = audits === 0 ? [withdrawal] : [withdrawal, own]
    },
  ],
} as const satisfies Readonly<Record<string, readonly [readonly string[], (audits: number) => void]>>

async function told(name: keyof typeof WORLDS, judge?: typeof Product.reconcile): Promise<string[]> {
  startAnew()
  await audit({}, judge)
  for (let audits = 0; audits < 3; audits += 1) {
    world.nowS += 3600
    WORLDS[name][1](audits)
    await audit({}, judge)
  }
  return world.told.map(({ finding }) => finding)
}

const variant = (edits: readonly Edit[]) => builtVariant<typeof Product>(RECONCILE, edits)

const MUTANTS: Readonly<Record<string, readonly [keyof typeof WORLDS, Edit]>> = {
  'starts at its watermark': [
    'somebody else withdraws',
    edit('functions/reconcile/audit-window.ts', 'againFromMs: sinceMs - slackMs,', 'againFromMs: sinceMs,'),
  ],
  'does not remember what it has told': [
    'somebody else withdraws',
    edit(TOLD_BEFORE, 'this.#before.told.has(key)', 'false'),
  ],
  'takes for unclaimed what is about to be claimed': [
    'an audit comes while a withdrawal is under way',
    edit(RECONCILE, 'if (this.#underWay.some(mayBeOf)) continue', ''),
  ],
  'tells at once what the ledger says of a movement of this moment': [
    'an audit comes before a withdrawal shows, whose entry shows',
    edit(TOLD_BEFORE, 'if (!isTold && isBehind &&', 'if (isTold && isBehind &&'),
  ],
}

test.each(Object.keys(WORLDS) as (keyof typeof WORLDS)[])(
  'where %s, the audits tell what there is, once',
  async (name) => {
    expect(await told(name)).toEqual(WORLDS[name][0])
  },
)

describe('a variant of the audit', () => {
  test.each(Object.entries(MUTANTS))('that %s is caught', async (_about, [name, change]) => {
    expect(await told(name, (await variant([change])).reconcile)).not.toEqual(WORLDS[name][0])
  })
})
