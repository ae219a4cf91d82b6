// What a policy is to remember of a run that is settled: what it gave up, what it was worth, whom it reached. Pure.
import { WithdrawStep } from '../../contract/outcomes.ts'
import type { Plan } from '../../contract/plan.ts'
import { isWithdrawing } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import type { Residue } from '../../contract/runs.ts'
import { dayOf } from '../../journal/sending-days.ts'
import { type Decimal, formatDecimal, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import { countUnasked } from '../approval/ask.ts'
import { contactIdsOf } from '../plan/under-way.ts'
import type { PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import type { RunRecord } from '../record/run-record.ts'
import { worthOf } from './breaker.ts'
import type { LegEnd } from './settle-leg.ts'
import { rememberedResidues } from './stranded-balances.ts'

export function isCertain(legs: readonly LegEnd[]): boolean {
  return legs.every(({ moved }) => moved !== 'unknown')
}

export function rememberedOf(
  run: RunRecord,
  legs: readonly LegEnd[],
  residues: Residue[] | undefined,
  endedAt: string,
  memory: PolicyRecord,
): PolicyMove {
  const given = legs.filter(({ moved }) => moved !== 'nothing')
  const hasMoved = given.length > 0
  return {
    // What left the account would pass for a fall: the run after the next compares again.
    ...(run.plan && {
      lastValue:
        hasMoved && isWithdrawing(run.asPlanned)
          ? undefined
          : // Where it is not known, what was known before goes on being the measure.
            (worthOf(run.plan, run.policyHash) ?? memory.lastValue),
    }),
    ...(hasMoved && { lastTradedAt: endedAt }),
    // Without a plan nothing was counted on, and nothing has gone on.
    ...(run.plan && rememberedResidues(run, residues, isCertain(legs), memory)),
    ...(hasMoved && run.plan && { turnover: turnoverOf(run.plan, given, endedAt, memory) }),
    ...(hasMoved && run.plan && { unasked: unaskedOf(run, run.plan, given, endedAt, memory) }),
    contacts: contactsOf(run, legs, memory),
  }
}

/** What is not certain to have moved nothing counts, whole. */
function turnoverOf(
  { valuationAsset: asset }: Plan,
  given: readonly LegEnd[],
  endedAt: string,
  { turnover }: PolicyRecord,
): NonNullable<PolicyRecord['turnover']> {
  const day = dayOf(Date.parse(endedAt))
  const before = turnover?.day === day && turnover.asset === asset ? parseDecimal(turnover.value, 'turnover') : ZERO
  return { day, asset, value: formatDecimal(plus(before, valueGiven(given))) }
}

/** A person has decided on what was approved: it counts towards no further question. */
function unaskedOf(
  { approval }: RunRecord,
  { valuationAsset }: Plan,
  given: readonly LegEnd[],
  endedAt: string,
  { unasked }: PolicyRecord,
): PolicyRecord['unasked'] {
  const value = approval?.decision === 'approved' ? ZERO : valueGiven(given)
  return countUnasked(unasked, valuationAsset, value, Date.parse(endedAt))
}

function valueGiven(given: readonly LegEnd[]): Decimal {
  return given.reduce((sum, { leg }) => plus(sum, parseDecimal(leg.value, 'value')), ZERO)
}

function contactsOf(run: RunRecord, legs: readonly LegEnd[], { contacts }: PolicyRecord): PolicyRecord['contacts'] {
  const known = contactIdsOf(run.asPlanned)
  // Of contacts that the policy no longer has, nothing: else the record would grow with every change of it.
  const reached: Record<string, PolicyRecord['contacts'][string]> = Object.fromEntries(
    Object.entries(contacts).filter(([id]) => known.includes(id)),
  )
  for (const { leg, frozen, moved, result } of legs) {
    if (leg.kind !== IntentKind.Withdraw) continue
    const { provenAt } = reached[leg.contactId] ?? {}
    if (moved === 'whole') reached[leg.contactId] = { provenAt: run.plan?.takenAt ?? run.startedAt }
    else if (moved === 'unknown' || result.outcome === WithdrawStep.Processing) {
      reached[leg.contactId] = { ...(provenAt !== undefined && { provenAt }), unfinished: frozen.intentId }
    }
  }
  return reached
}
