// Reads how far the payments of a file have come, whatever runs and policies had them before. Each payment has at most one
// intent that is not a certified zero: the next intent gets its name only after the one before has certainly moved nothing. A
// payment with several is named, and gets none. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { sameCode } from '../../contract/fields.ts'
import { WithdrawEnd, WithdrawStep } from '../../contract/outcomes.ts'
import { foldId } from '../../contract/payouts.ts'
import type { Policy } from '../../contract/policies.ts'
import { IntentKind, IntentState } from '../../contract/records.ts'
import type { Timing } from '../../contract/timing.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../contract/withdraw.ts'
import type { PolicyTerms } from '../../guards/policy-terms.ts'
import { type Intent, isConversion, isSettled, type WithdrawIntent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { isSameAmount } from '../../money/decimal.ts'
import { reportWithdrawal } from '../../movements/withdrawal/report.ts'
import type { PaymentFacts } from '../../planning/market/snapshot.ts'
import type { Payment } from '../../policies/kind.ts'
import { paymentsOf } from '../../policies/kinds.ts'
import type { RunPorts, RunService } from '../ports.ts'
import { frozenLegs, legOf, onceIntentId } from '../record/run-record.ts'
import type { Runs } from '../record/runs.ts'

/** Maximum intents of one payment. A payment that failed so often needs a person, who gives it another id. */
export const MOST_TRIES = 20

export type SettledReads = Parameters<typeof reportWithdrawal>[1]
interface EndPorts {
  readonly service: SettledReads
  readonly treasury: { readonly timing: Timing }
}
/**
 * By the id of a row. `onRead` is called after each row. Needs a measured clock.
 * @throws Transient, Defect, what `onRead` throws
 */
export async function readPayments(
  policy: Policy,
  ports: RunPorts,
  onRead: () => void,
): Promise<ReadonlyMap<string, PaymentFacts>> {
  const entries = await mapBounded(paymentsOf(policy), READS_AT_ONCE, async (payment) => {
    const facts = await readPayment(payment, ports)
    onRead()
    return [payment.id, facts] as const
  })
  return new Map(entries)
}

/** @throws Transient, Defect */
export async function readPayment(payment: Payment, ports: RunPorts): Promise<PaymentFacts> {
  const tries = await findTries(payment.id, ports.journal)
  const left: (readonly [WithdrawIntent, 'paid' | 'open'])[] = []
  let backByBalance: string | undefined
  for (const intent of tries) {
    const end = await endOf(intent, ports)
    if (end === 'back by balance') backByBalance = intent.ref
    else if (end !== 'zero') left.push([intent, end])
  }
  const [first, ...others] = left
  if (first === undefined) {
    const usedUp = tries.length === MOST_TRIES ? MOST_TRIES : undefined
    return {
      once: onceOf(payment.id, Math.min(tries.length + 1, MOST_TRIES)),
      ...(usedUp && { usedUp }),
      ...(backByBalance !== undefined && { backByBalance }),
    }
  }
  const [intent, end] = first
  const { intentId, params } = intent
  const otherTerms = differenceOf(payment, intent)
  const again = others.map(([other]) => other.intentId)
  return {
    once: onceOf(payment.id, tries.indexOf(intent) + 1),
    earlier: {
      ...{ intentId, isPaid: end === 'paid' },
      ...(typeof params.run === 'string' && { runId: params.run }),
      ...(otherTerms !== undefined && { otherTerms }),
      ...(again.length > 0 && { again }),
    },
  }
}

/**
 * The name of the `tries`-th intent of a payment, counted from 1. The policy is no part of it: a renamed policy must not pay
 * its rows again. Nor is the spelling of the id.
 */
export function onceOf(id: string, tries: number): string {
  return `payout/${foldId(id)}/${tries}`
}

/** The id of the payment, as it is spelled in the name of an intent. */
export function idOfOnce(once: string): string {
  return once.slice('payout/'.length, once.lastIndexOf('/'))
}

/**
 * The first try before this one that may have moved money, or still may: then this try must not be sent. `isApproved`: people
 * have seen that only the balance shows a refund. @throws Transient, Defect
 */
export async function findOpenTry(
  { once, isApproved }: NonNullable<PolicyTerms['tried']>,
  ports: Pick<RunPorts, 'journal'> & EndPorts,
): Promise<string | undefined> {
  const id = idOfOnce(once)
  const tries = Number(once.slice(once.lastIndexOf('/') + 1))
  for (let earlier = 1; earlier < tries; earlier += 1) {
    const intentId = onceIntentId(onceOf(id, earlier))
    const intent = await ports.journal.find(intentId, IntentKind.Withdraw)
    const end = intent && (await endOf(intent, ports))
    // Without a record nobody knows: the planner names a try only after the one before it.
    if (end !== 'zero' && !(isApproved && end === 'back by balance')) return intentId
  }
  return undefined
}

/** All intents of a payment, in their order. @throws Transient, Defect */
export async function findTries(id: string, journal: Pick<Journal, 'find'>): Promise<readonly WithdrawIntent[]> {
  const found: WithdrawIntent[] = []
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const intent = await journal.find(onceIntentId(onceOf(id, tries)), IntentKind.Withdraw)
    if (intent === undefined) break
    found.push(intent)
  }
  return found
}

/**
 * `zero` only where it is certain that no money has left, or that all of it has come back. `back by balance`: a credit of the
 * same amount would look like the refund, so a person decides before it is paid again.
 */
export async function endOf(
  intent: WithdrawIntent,
  { service, treasury }: EndPorts,
): Promise<'zero' | 'back by balance' | 'paid' | 'open'> {
  if (intent.state === IntentState.Done) {
    const { outcome, isByBalance } = await reportWithdrawal(intent, service, treasury.timing)
    if (outcome === WithdrawEnd.FailedRefunded) return isByBalance ? 'back by balance' : 'zero'
    return outcome === WithdrawStep.Processing ? 'open' : 'paid'
  }
  // A READY intent may still be sent, whatever the time: only a write ends it.
  return isSettled(intent.state) ? 'zero' : 'open'
}

/** The field in which an earlier intent differs from the row, with both values; undefined for the same terms. */
export function differenceOf(
  { asset, amount, contactId, feeMode }: Pick<Payment, 'asset' | 'amount' | 'contactId' | 'feeMode'>,
  { params }: Pick<WithdrawIntent, 'params'>,
): string | undefined {
  const text = (value: unknown) => (typeof value === 'string' ? value : 'nothing')
  const paid = { contact: text(params.contactId), feeMode: text(params.feeMode) }
  const symbol = text(params.assetSymbol)
  if (!sameCode(symbol, asset)) return `asset ${symbol}, and the row has ${asset}`
  const units = text(params.amount)
  if (params.amount === undefined || !isSameAmount(units, amount)) return `amount ${units}, and the row has ${amount}`
  if (paid.contact !== contactId) return `contact ${paid.contact}, and the row has ${contactId}`
  return paid.feeMode === feeMode ? undefined : `feeMode ${paid.feeMode}, and the policy has ${feeMode}`
}

/**
 * For those who check an intent later: one sentence where another withdrawal has paid the row of this one.
 * @throws Transient, Defect
 */
export type PaidTwiceFinder = (intent: Intent) => Promise<string | undefined>

interface PaidTwicePorts {
  readonly journal: Pick<Journal, 'find'>
  readonly runs: Pick<Runs, 'find'>
  readonly service: Pick<RunService, 'findWithdrawal'>
}

export function createPaidTwiceFinder({ journal, runs, service }: PaidTwicePorts): PaidTwiceFinder {
  const isKept = async ({ state, ref }: Intent) => {
    if (state !== IntentState.Done || ref === undefined) return false
    const row = await service.findWithdrawal(ref)
    return row === undefined || !FAILED_WITHDRAWAL_STATUSES.has(row.status)
  }
  return async (intent) => {
    const { intentId, params } = intent
    if (isConversion(intent) || typeof params.run !== 'string') return undefined
    const run = await runs.find(params.run)
    const frozen = run && frozenLegs(run).find((each) => each.intentId === intentId)
    const { once } = run && frozen ? legOf(run, frozen) : {}
    if (once === undefined) return undefined
    const tries = await findTries(idOfOnce(once), journal)
    for (const other of tries) {
      if (other.intentId === intentId || !(await isKept(other))) continue
      if (!(await isKept(intent))) return undefined
      return `withdrawal ${other.ref} of intent ${other.intentId} has paid the same payout row`
    }
    return undefined
  }
}
