// Computes what a policy remembers of a settled run: what the run sold and withdrew, what its assets were worth, which contacts
// it reached, and what it left stranded. A run with a leg in doubt is counted once. What this run left is added when the leg is
// settled. Pure.
import type { Plan } from '../../contract/plan.ts'
import { balanceKey, IntentKind } from '../../contract/records.ts'
import type { StrandedBalance } from '../../contract/runs.ts'
import { dayOf } from '../../journal/sending-days.ts'
import { type Decimal, formatDecimal, greatest, minus, parseDecimal, plus, sumOf, ZERO } from '../../money/decimal.ts'
import { labelsOf } from '../../movements/withdrawal/payee.ts'
import { contactIdsOf } from '../../policies/kinds.ts'
import { countUnapproved } from '../approval/ask.ts'
import type { Balances, PolicyMove, PolicyRecord, Turnover } from '../record/policy-record.ts'
import type { RunRecord } from '../record/run-record.ts'
import { trimContacts } from '../record/trimming.ts'
import { worthOf } from './breaker.ts'
import { isOnItsWay, type LegEnd } from './settle-leg.ts'

/**
 * Maximum runs with a leg in doubt whose stranded balances may still grow. With more, some are forgotten: records have no
 * order.
 */
const MOST_DOUBTFUL = 20

export interface SettledRun {
  readonly run: RunRecord
  readonly legs: readonly LegEnd[]
  /** Balances that it left stranded; absent: nothing. */
  readonly stranded: StrandedBalance[] | undefined
}

export function rememberedOf(settled: SettledRun, endedAt: string, memory: PolicyRecord): PolicyMove {
  const { run, legs } = settled
  const { plan } = run
  const given = legs.filter(({ moved }) => moved !== 'nothing')
  const hasMoved = given.length > 0
  // An approved value does not count towards the next question: a person has decided on it.
  const unasked = run.approval?.decision === 'approved' ? ZERO : valueGiven(given)
  return {
    // Where the value is unknown, the former value stays the measure.
    ...(plan && { lastValue: worthOf(plan, run.policyHash) ?? memory.lastValue }),
    ...(hasMoved && { lastTradedAt: endedAt }),
    // Without a plan the run used no stranded balance.
    ...(plan && rememberedBalances(balancesOf(settled), memory)),
    ...(hasMoved && plan && { turnover: turnoverOf(plan, given, endedAt, memory) }),
    ...(hasMoved &&
      plan && { unasked: countUnapproved(memory.unasked, plan.valuationAsset, unasked, Date.parse(endedAt)) }),
    contacts: contactsOf(run, legs, memory),
  }
}

/** A leg counts with its whole value, unless it certainly moved nothing. */
function turnoverOf(
  { valuationAsset: asset }: Plan,
  given: readonly LegEnd[],
  endedAt: string,
  { turnover }: PolicyRecord,
): Turnover {
  const day = dayOf(Date.parse(endedAt))
  const before = turnover?.day === day && turnover.asset === asset ? parseDecimal(turnover.value, 'turnover') : ZERO
  return { day, asset, value: formatDecimal(plus(before, valueGiven(given))) }
}

function valueGiven(given: readonly LegEnd[]): Decimal {
  return sumOf(given.map(({ leg }) => parseDecimal(leg.value, 'value')))
}

function contactsOf(run: RunRecord, legs: readonly LegEnd[], { contacts }: PolicyRecord): PolicyRecord['contacts'] {
  const known = new Set(contactIdsOf(run.asPlanned))
  // Contacts that the policy no longer has are dropped: otherwise the record would grow with every change of them.
  const reached: Record<string, PolicyRecord['contacts'][string]> = Object.fromEntries(
    Object.entries(contacts).filter(([id]) => known.has(id)),
  )
  for (const { leg, frozen, moved, result } of legs) {
    if (leg.kind !== IntentKind.Withdraw) continue
    const { unfinished: _unfinished, ...proven } = reached[leg.contactId] ?? {}
    if (moved === 'unknown' || isOnItsWay(result)) {
      reached[leg.contactId] = { ...proven, unfinished: frozen.intentId }
    } else if (moved === 'whole') {
      const paidAs = labelsOf(leg.payee)
      reached[leg.contactId] = {
        ...proven,
        provenAt: run.plan?.takenAt ?? run.startedAt,
        ...(paidAs && { paidAs }),
      }
    }
  }
  return trimContacts(reached)
}

interface LeftBalances {
  readonly runId: string
  readonly balances: readonly StrandedBalance[]
  /** No leg of the run is in doubt, or on its way to a bank. */
  readonly isCertain: boolean
}

/** A payout on its way to a bank may come back, and is then stranded where it was. */
function isCertain({ moved, result }: LegEnd): boolean {
  return moved !== 'unknown' && !isOnItsWay(result)
}

function balancesOf({ run: { runId }, legs, stranded = [] }: SettledRun): LeftBalances {
  return { runId, balances: stranded, isCertain: legs.every(isCertain) }
}

/** The policy's balances after the run: other runs may have added to them since the plan. */
export function rememberedBalances(
  { runId, balances, isCertain }: LeftBalances,
  { doubtful = {}, residues: known = {} }: PolicyRecord,
): Pick<PolicyMove, 'residues' | 'doubtful'> {
  const changes = balances.map(
    (balance) => [balanceKey(balance), minus(read(balance.amount), read(balance.before))] as const,
  )
  const move = changes.length === 0 ? {} : { residues: changed(known, changes) }
  if (isCertain) return move
  const others = Object.entries(doubtful).filter(([other]) => other !== runId)
  const kept = others.slice(0, MOST_DOUBTFUL - 1)
  return { ...move, doubtful: Object.fromEntries([...kept, [runId, amountsOf(balances)]]) }
}

/**
 * The same for a run that was counted with a leg in doubt and is settled again: what it turned out to have left in addition. A
 * second call adds nothing. Undefined where nothing changes.
 */
export function rememberedLate(
  settled: SettledRun,
  { residues: known = {}, doubtful = {} }: PolicyRecord,
): Pick<PolicyMove, 'residues' | 'doubtful'> | undefined {
  const { runId, balances, isCertain } = balancesOf(settled)
  const { [runId]: counted, ...others } = doubtful
  if (counted === undefined) return undefined
  const amounts = amountsOf(balances)
  const keys = new Set([...Object.keys(counted), ...Object.keys(amounts)])
  const changes = [...keys].map((key) => [key, minus(read(amounts[key]), read(counted[key]))] as const)
  if (!isCertain && changes.every(([, change]) => change === 0n)) return undefined
  const doubts = isCertain ? others : { ...others, [runId]: amounts }
  return { residues: changed(known, changes), doubtful: doubts }
}

function amountsOf(balances: readonly StrandedBalance[]): Balances {
  return Object.fromEntries(balances.map((balance) => [balanceKey(balance), balance.amount]))
}

/** The balances after the changes, without those that became zero. */
function changed(known: Balances, changes: readonly (readonly [string, Decimal])[]): Balances {
  const sums = changes.map(([key, change]) => [key, greatest(ZERO, plus(read(known[key]), change))] as const)
  const texts = { ...known, ...Object.fromEntries(sums.map(([key, sum]) => [key, formatDecimal(sum)])) }
  return Object.fromEntries(Object.entries(texts).filter(([, amount]) => amount !== '0'))
}

function read(amount: string | undefined): Decimal {
  return amount === undefined ? ZERO : parseDecimal(amount, 'residues')
}
