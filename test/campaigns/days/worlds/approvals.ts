// Prices change right after an approval, before the first quote. Payments are each too small to ask anybody. An insider
// who may write the records of runs has another amount paid than was approved. Another system requests a payment for a
// policy. One person approves in parts what needs two people.
import { intentIdOf } from '../../../../core/contract/fields.ts'
import type { PlanLeg } from '../../../../core/contract/plan.ts'
import { IntentKind } from '../../../../core/contract/records.ts'
import { legIntentId, type RunRecord } from '../../../../core/runs/record/run-record.ts'
import type { Hands } from '../hands.ts'
import type { World } from '../world.ts'
import {
  byTime,
  calmBefore,
  chances,
  daily,
  every,
  fileOf,
  isOf,
  isPlanned,
  priceAt,
  START_MS,
  setBalance,
} from './base.ts'

export const approvals: World = {
  name: 'approvals',
  says: 'prices double or halve, guards are edited or records of runs are changed after a plan is approved; payments are split below the bound, and approvals below that for two',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    let isApproved = false
    let isEdited = false
    let forged: (typeof FORGED)[number]
    return {
      file: fileOf(
        {
          buys: {
            ...{ kind: 'rebalance', amounts: { ETH: '15000' }, hubs: ['USD'], band: { of: 'absolute', bps: 10 } },
            approval: { above: '1000' },
          },
          // Each run sends no more than the largest movement, so a person is never asked about one run.
          bills: {
            ...{ kind: 'sweep', ...every(8, 3), approval: { above: '1000' }, guards: { total: { largest: '900' } } },
            rules: [{ assets: ['USDC'], contactId: contact('cold-usdc-polygon'), keep: { target: '1000' } }],
          },
          supplies: {
            ...{ kind: 'convert-and-withdraw', from: 'USD', into: 'USDT', amount: '2000' },
            ...{ contactId: contact('supplier-usdt-tron'), approval: { above: '1000' } },
          },
          // One person approves two policies. Each buys for about 600, and above 1,000 two people are needed.
          coins: partOf('SOL', '4'),
          links: partOf('LINK', '41'),
        },
        // Applies to every payment to the supplier.
        { approval: { contacts: { [contact('supplier-usdt-tron')]: '1000' } } },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        daily(START_MS, days, 9, (hands) => {
          priceAt(hands, 'ETH', 1)
          setBalance(hands, 'ETH', chance('side') < 0.5 ? 0.01 : 12)
          setBalance(hands, 'USD', 200_000)
          hands.start('buys')
        }),
        daily(START_MS, days, 10, async (hands, day) => {
          isApproved = day % 2 === 0
          // The plan continues under the approved guards, and its legs are to be sent under other guards.
          isEdited = day % 4 === 1
          await hands.approve()
          if (day % 4 === 3) editGuards(hands)
        }),
        daily(START_MS, days, 15, (hands) => {
          setBalance(hands, 'USDT', 20_000)
          hands.start('supplies')
        }),
        // A request in the policy's name to the contact that its run waits to pay: rejected, approved, and undecided.
        daily(START_MS, days, 15.2, (hands, day) => {
          const request = { assetSymbol: 'USDT', contactId: contact('supplier-usdt-tron'), policy: 'supplies' }
          hands.requestWithdrawal(`invoice-${day}`, { ...request, amount: '5000' })
        }),
        daily(START_MS, days, 15.3, async (hands, day) => {
          if (day % 3 !== 2) await hands.decideWithdrawals(day % 3 === 1 ? 'approved' : 'rejected', 'cy')
        }),
        daily(START_MS, days, 16, async (hands, day) => {
          forged = FORGED[day % FORGED.length]
          await hands.approve()
        }),
        // Both start at one moment. One of them needs a second person, who sees only that one.
        daily(START_MS, days, 17, (hands) => startParts(hands, ['coins', 'links'])),
        daily(START_MS, days, 17.2, (hands) => hands.approve('ana')),
        daily(START_MS, days, 17.4, (hands) => hands.approve('bob')),
        // Again after the second person, and shortly before the first approval is a day old.
        daily(START_MS, days, 18, (hands) => startParts(hands, ['links'])),
        daily(START_MS, days, 18.2, (hands) => hands.approve('ana')),
        daily(START_MS, days, 22, (hands) => startParts(hands, ['coins'])),
        daily(START_MS, days, 22.2, (hands) => hands.approve('ana')),
      ),
      onRequest({ where, what }, hands) {
        // The first price of a leg, or its quote. The requests before it check the approval.
        if (!isApproved || where !== 'POST' || what !== '/v2/quotes') return
        isApproved = false
        priceAt(hands, 'ETH', chance('which') < 0.5 ? 2 : 0.5)
      },
      onStep(moment, hands) {
        const { execution = '' } = moment
        if (!isPlanned(moment) || !execution.endsWith('_2')) return
        if (isEdited && isOf(moment, 'buys')) {
          isEdited = false
          editGuards(hands)
        }
        if (forged !== undefined && isOf(moment, 'supplies')) {
          // The conversion is about to begin, and the withdrawal is to be planned again after it.
          const asked = forged === 'unasked' ? UNASKED : {}
          forged = undefined
          void hands.forge(intentIdOf(execution), (run) => ({ ...withPayout(run), ...asked }))
        }
      },
    }
  },
}

/** The withdrawal as if it had been planned again, with more than was approved. */
function withPayout({ runId, plan, phases }: RunRecord): Partial<RunRecord> {
  const leg = plan?.legs.find(({ kind }) => kind === IntentKind.Withdraw)
  if (leg === undefined) return {}
  const more = { ...leg, request: { ...leg.request, amount: '9000', most: '9000' }, total: '9000' } as PlanLeg
  const frozen = { key: leg.key, intentId: legIntentId(runId, leg), leg: more }
  return { phases: [...phases, { phase: leg.phase, legs: [frozen] }] }
}

/**
 * How the record of the day's payment is changed. On the second day it stays: another payment is approved then, and the balance
 * that people were shown is gone.
 */
const FORGED = ['with more', undefined, 'unasked', 'with more'] as const

/** Makes the record look as if the plan had been too small for an approval. */
const UNASKED: Partial<RunRecord> = { approval: undefined, guardsHash: undefined }

function partOf(asset: string, atLeast: string) {
  return {
    ...{ kind: 'fund', asset, atLeast, target: atLeast, from: [{ asset: 'USD' }] },
    approval: { above: '100', twoAbove: '1000', expiresAfterSeconds: 1_800 },
  }
}

function startParts(hands: Hands, policies: readonly string[]): void {
  for (const [asset, policy] of [
    ['SOL', 'coins'],
    ['LINK', 'links'],
  ] as const) {
    if (!policies.includes(policy)) continue
    setBalance(hands, asset, 0.1)
    hands.start(policy)
  }
}

function editGuards(hands: Hands): void {
  hands.edit((file) => ({ ...file, guards: otherGuards(file.guards) }))
}

function otherGuards({ valuationAsset = 'USD', ...others }: { readonly valuationAsset?: string }) {
  return { ...others, valuationAsset: valuationAsset === 'USD' ? 'USDC' : 'USD' }
}
