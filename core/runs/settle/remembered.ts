// Reads what became of the legs of a run, as far as one call has time. Computes what the policy remembers: what the run
// sold and withdrew, what its assets were worth, which contacts it reached, and what it left stranded. A run with a leg
// in doubt is counted once. What this run left is added when the leg is settled.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { MOST_LEGS, type Plan } from '../../contract/plan.ts'
import { balanceKey, IntentKind } from '../../contract/records.ts'
import type { StrandedBalance } from '../../contract/runs.ts'
import { Transient } from '../../errors.ts'
import { dayOf } from '../../journal/sending-days.ts'
import { type Decimal, formatDecimal, greatest, minus, parseDecimal, plus, sumOf, ZERO } from '../../money/decimal.ts'
import { labelsOf } from '../../movements/withdrawal/payee.ts'
import { contactIdsOf } from '../../policies/kinds.ts'
import { countUnapproved } from '../approval/ask.ts'
import type { RunPorts } from '../ports.ts'
import type { Balances, PolicyMove, PolicyRecord, Turnover } from '../record/policy-record.ts'
import { type FrozenLeg, frozenLegs, type LegResult, legOf, type RunRecord } from '../record/run-record.ts'
import { trimContacts, trimmedOfLongRun } from '../record/trimming.ts'
import { worthOf } from './breaker.ts'
import { isOnItsWay, type LegEnd, settleLeg } from './settle-leg.ts'

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

/** Legs between two looks at the time. They take two minutes if each read takes its whole 20 s. */
const LEGS_AT_A_TIME = 50

export interface Reading {
  /** Why a leg was not sent. */
  readonly why: string
  /** Names who settles the run: only a later call of the same reads on from legs that may still change. */
  readonly by: string
  /** By intent id: the rows that are left to other runs. */
  readonly left: ReadonlyMap<string, LegResult>
}

/** `legs`: all of them. `handedOver`: the run with the legs that were read so far. */
type ReadLegs = { readonly legs: readonly LegEnd[] } | { readonly handedOver: RunRecord }

/** @throws Transient, Defect: then no leg could be read since the last call */
export async function readLegs(
  run: RunRecord,
  { why, by, left: leftRows }: Reading,
  ports: RunPorts,
): Promise<ReadLegs> {
  const frozen = frozenLegs(run)
  // The machine of a rebalance settles its runs in one call. They have at most this many legs.
  const mayHandOver = frozen.length > MOST_LEGS
  const legs = mayHandOver ? legsBefore(run, by) : new Map<string, LegEnd>()
  const left = frozen.filter(({ intentId }) => !legs.has(intentId))
  for (let at = 0; at < left.length; at += LEGS_AT_A_TIME) {
    if (mayHandOver && at > 0 && !ports.hasTime()) return handOver(run, legs, by, ports)
    const batch = left.slice(at, at + LEGS_AT_A_TIME)
    try {
      const read = await mapBounded(batch, READS_AT_ONCE, (leg) =>
        settleLeg(run, leg, { why, left: leftRows.get(leg.intentId) }, ports),
      )
      for (const end of read) legs.set(end.frozen.intentId, end)
    } catch (error) {
      if (mayHandOver && at > 0 && error instanceof Transient) return handOver(run, legs, by, ports)
      throw error
    }
  }
  return { legs: frozen.flatMap(({ intentId }) => legs.get(intentId) ?? []) }
}

/** By intent id: the legs that earlier calls have read, and that need no other read. */
function legsBefore(run: RunRecord, by: string): Map<string, LegEnd> {
  const { settling, results } = run
  const read = new Map(settling?.legs.map((each) => [each.intentId, each]))
  const endOf = (frozen: FrozenLeg): LegEnd | undefined => {
    const { moved, tiesOut, isFinal } = read.get(frozen.intentId) ?? {}
    const result = results[frozen.intentId]
    if (result === undefined || moved === undefined || tiesOut === undefined || isFinal === undefined) return undefined
    return isFinal || settling?.by === by
      ? { frozen, leg: legOf(run, frozen), result, moved, tiesOut, isFinal }
      : undefined
  }
  return new Map(
    frozenLegs(run).flatMap((frozen) => {
      const end = endOf(frozen)
      return end === undefined ? [] : [[frozen.intentId, end] as const]
    }),
  )
}

async function handOver(
  run: RunRecord,
  legs: ReadonlyMap<string, LegEnd>,
  by: string,
  { runs }: RunPorts,
): Promise<ReadLegs> {
  const kept = frozenLegs(run).flatMap(({ intentId }) => legs.get(intentId) ?? [])
  const read = kept.map(({ frozen: { intentId }, moved, tiesOut, isFinal }) => ({ intentId, moved, tiesOut, isFinal }))
  const results = trimmedOfLongRun(
    Object.fromEntries(kept.map(({ frozen: { intentId }, result }) => [intentId, result])),
  )
  return {
    handedOver: await runs.advance(run, { settling: { by, legs: read }, results: { ...run.results, ...results } }),
  }
}
