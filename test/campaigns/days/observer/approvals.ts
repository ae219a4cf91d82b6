// No leg moves more than a person approved, at a worse rate, or under other guards. Nobody avoids being asked by
// sending in parts, and one person cannot approve in parts what needs two people.
import { isDeepStrictEqual } from 'node:util'
import type { ConvertLeg, PlanLeg } from '../../../../core/contract/plan.ts'
import { IntentKind } from '../../../../core/contract/records.ts'
import type { Evidence } from '../evidence.ts'
import type { Approved } from '../hands.ts'
import type { Mids } from './mids.ts'
import { fileAt, nameOf, type Send } from './sends.ts'

const DAY_MS = 86_400_000
const TOLERANCE_BPS = 5
const ROUNDING = 1.0002
/** Longest time between a decision's note here and its record. */
const LAG_MS = 60_000

export function judgeApprovals(sends: readonly Send[], mids: Mids, evidence: Evidence): string[] {
  const { approvals } = evidence
  return [
    ...approvals.flatMap((approved) =>
      judgeApproved(
        approved,
        sends.filter(({ run }) => run === approved.run),
        evidence,
      ),
    ),
    ...judgeUnasked(
      sends.filter(({ run }) => !approvals.some((approved) => approved.run === run)),
      mids,
    ),
    ...judgeAlone(sends, evidence),
    ...judgeSingle(evidence, mids),
  ]
}

function judgeApproved(approved: Approved, own: readonly Send[], { files }: Evidence): string[] {
  const then = fileAt(files, approved.atMs).treasury.guards
  const given = new Map<string, number>()
  return own.flatMap((send) => {
    const found: string[] = []
    if (!isDeepStrictEqual(send.guards, then)) {
      found.push(`approval: ${nameOf(send)} went under other guards than when it was approved`)
    }
    const key = keyOf(send)
    const legs = approved.legs.filter((leg) => keyOfLeg(leg) === key)
    const slackBps = slackOf(send) + TOLERANCE_BPS
    const most = legs.reduce((sum, leg) => sum + Number(totalOf(leg)), 0) * (1 + slackBps / 10_000)
    const total = (given.get(key) ?? 0) + send.taken
    given.set(key, total)
    if (total > most) {
      found.push(`approval: with ${nameOf(send)}, ${total} ${send.asset} were spent, and ${most.toFixed(8)} approved`)
    }
    return [
      ...found,
      ...judgeRate(
        send,
        legs.filter((leg) => leg.kind === IntentKind.Convert),
        slackBps,
      ),
    ]
  })
}

function judgeRate(send: Send, legs: readonly ConvertLeg[], slackBps: number): string[] {
  const { baseAmount, quoteAmount, side } = send.movement
  const rate = Number(quoteAmount) / Number(baseAmount)
  const shown = legs.map(({ indicativeRate }) => Number(indicativeRate))
  if (shown.length === 0) return []
  const isWorse =
    side === 'BUY'
      ? rate > Math.max(...shown) * (1 + slackBps / 10_000)
      : rate < Math.min(...shown) * (1 - slackBps / 10_000)
  return isWorse ? [`approval: ${nameOf(send)} went at ${rate}, and ${shown.join(', ')} was approved`] : []
}

/** How much the terms may change between approval and send, basis points. */
function slackOf({ policies, guards }: Send): number {
  const [policy] = policies
  return Math.max(policy?.approval?.priceBoundBps ?? 0, policy?.guards.worstSlippageBps ?? guards.worstSlippageBps ?? 0)
}

function keyOf({ asset, movement }: Send): string {
  const { market = '', side, contactId } = movement
  // Works also for an order that brought nothing.
  const brings = market.split('-')[side === 'BUY' ? 0 : 1]
  return movement.kind === 'order' ? `convert ${asset} ${brings}` : `withdraw ${asset} ${contactId}`
}

function keyOfLeg(leg: PlanLeg): string {
  return leg.kind === IntentKind.Convert
    ? `convert ${leg.gives.asset} ${leg.brings.asset}`
    : `withdraw ${leg.assetSymbol} ${leg.contactId}`
}

function totalOf(leg: PlanLeg): string {
  return leg.kind === IntentKind.Convert ? leg.gives.amount : leg.total
}

/** Judges what a policy sent in a day without asking anyone. */
function judgeUnasked(sends: readonly Send[], mids: Mids): string[] {
  const sums = new Map<string, number>()
  return sends.flatMap((send) => {
    const { policies, asset, kept, beganMs, atMs, owner, guards, brought } = send
    const above = policies[0]?.approval?.above
    // A conversion on its way to a contact counts where it leaves the account.
    const isOnItsWay = policies[0]?.kind === 'convert-and-withdraw' && brought !== undefined
    if (above === undefined || isOnItsWay) return []
    const price = mids.worth(asset, policies[0]?.valuationAsset ?? guards.valuationAsset, {
      fromMs: beganMs,
      toMs: atMs,
    })
    const key = `${owner} ${Math.floor(atMs / DAY_MS)}`
    const total = (sums.get(key) ?? 0) + kept * (price ?? 0)
    sums.set(key, total)
    if (total <= Number(above) * ROUNDING) return []
    return [
      `unasked: with ${nameOf(send)}, ${total} went on one day without approval, and above ${above} a person is asked`,
    ]
  })
}

/** Judges withdrawals to a contact above the value for which people are asked. Each needs its own approval. */
function judgeSingle({ oracle, whose, files, approvals, withdrawals }: Evidence, mids: Mids): string[] {
  const decisions = [...withdrawals]
  return oracle.movements.flatMap(({ id, kind, at, contactId = '', total, assetSymbol = '' }) => {
    if (kind !== 'withdrawal') return []
    const atMs = Date.parse(at)
    const { guards } = fileAt(files, atMs).treasury
    const above = guards.approval?.contacts?.[contactId]
    const { run, policy } = whose.get(id) ?? {}
    if (above === undefined || approvals.some((approved) => approved.run === run)) return []
    const price = mids.worth(assetSymbol, guards.valuationAsset, { fromMs: atMs, toMs: atMs }) ?? 0
    if (Number(total) * price <= Number(above) * ROUNDING) return []
    const own = decisions.filter(
      (decided) => decided.contactId === contactId && Number(decided.total) === Number(total) && decided.atMs <= atMs,
    )
    // An approval is for one withdrawal. Another with the same figures may have been rejected.
    const decided = own.find(({ decision }) => decision === 'approved') ?? own.at(-1)
    if (decided?.decision === 'approved') {
      decisions.splice(decisions.indexOf(decided), 1)
      return []
    }
    const who = decided === undefined ? 'nobody approved it' : `${decided.by} said no`
    return [`word: withdrawal ${id} of ${policy} (${at}) took ${total} ${assetSymbol} to ${contactId}, and ${who}`]
  })
}

/** Judges what one person alone approved in 24 hours, over all policies that need two people above some value. */
function judgeAlone(sends: readonly Send[], { approvals, files }: Evidence): string[] {
  const alone = approvals.filter(
    ({ run, by }) =>
      sends.some((send) => send.run === run) && approvals.every((other) => other.run !== run || other.by === by),
  )
  const counted = alone.flatMap((approved) => {
    const twoAbove = fileAt(files, approved.atMs).treasury.policies[approved.policy]?.approval?.twoAbove
    return twoAbove === undefined ? [] : [{ ...approved, twoAbove: Number(twoAbove) }]
  })
  return counted.flatMap(({ by, run, policy, atMs, twoAbove }, index) => {
    const before = counted.slice(0, index + 1).filter((each) => each.by === by && each.atMs > atMs - DAY_MS + LAG_MS)
    const total = before.reduce((sum, { legs }) => sum + legs.reduce((value, leg) => value + Number(leg.value), 0), 0)
    if (total <= twoAbove * ROUNDING) return []
    return [
      `alone: with run ${run} of ${policy}, ${by} alone approved ${total} in a day, and above ${twoAbove} two must`,
    ]
  })
}
