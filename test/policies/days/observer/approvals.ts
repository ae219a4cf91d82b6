// No leg moves more, or at a worse rate, than what a person saw and approved, nor under other guards; and nobody gets
// around being asked by sending in parts. Nor does one person alone approve in parts what takes two people.
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
/** A word is recorded so much later, at most, than it is noted here. */
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
      found.push(
        `approval: with ${nameOf(send)}, ${total} ${send.asset} were given up, and ${most.toFixed(8)} approved`,
      )
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

/** What may change between what is shown and what is sent. */
function slackOf({ policies, guards }: Send): number {
  const [policy] = policies
  return Math.max(policy?.approval?.priceBoundBps ?? 0, policy?.guards.worstSlippageBps ?? guards.worstSlippageBps ?? 0)
}

function keyOf({ asset, movement }: Send): string {
  const { market = '', side, contactId } = movement
  // Also of one that brought nothing.
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

/** What a policy sent in a day without anyone having been asked. */
function judgeUnasked(sends: readonly Send[], mids: Mids): string[] {
  const sums = new Map<string, number>()
  return sends.flatMap((send) => {
    const { policies, asset, kept, beganMs, atMs, owner, guards, brought } = send
    const above = policies[0]?.approval?.above
    // What a conversion brought on its way to a contact is counted where it leaves.
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

/** What goes to a contact above the value for which a person is asked: each withdrawal by itself, on a word of its own. */
function judgeSingle({ oracle, whose, files, approvals, withdrawals }: Evidence, mids: Mids): string[] {
  const words = [...withdrawals]
  return oracle.movements.flatMap(({ id, kind, at, contactId = '', total, assetSymbol = '' }) => {
    if (kind !== 'withdrawal') return []
    const atMs = Date.parse(at)
    const { guards } = fileAt(files, atMs).treasury
    const above = guards.approval?.contacts?.[contactId]
    const { run, policy } = whose.get(id) ?? {}
    if (above === undefined || approvals.some((approved) => approved.run === run)) return []
    const price = mids.worth(assetSymbol, guards.valuationAsset, { fromMs: atMs, toMs: atMs }) ?? 0
    if (Number(total) * price <= Number(above) * ROUNDING) return []
    const own = words.filter(
      (said) => said.contactId === contactId && Number(said.total) === Number(total) && said.atMs <= atMs,
    )
    // Each yes is of one withdrawal. Another one of the same figures may have met a no.
    const said = own.find(({ decision }) => decision === 'approved') ?? own.at(-1)
    if (said?.decision === 'approved') {
      words.splice(words.indexOf(said), 1)
      return []
    }
    const who = said === undefined ? 'nobody approved it' : `${said.by} said no`
    return [`word: withdrawal ${id} of ${policy} (${at}) took ${total} ${assetSymbol} to ${contactId}, and ${who}`]
  })
}

/** What one person alone approved in 24 hours, of all policies that ask for two people above some value. */
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
