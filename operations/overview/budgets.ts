// Reads the day's budgets and turnover: how much is left of each daily bound of treasury.json, as planning reads it.
// Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { boundsIn, type CountedBound, globalGuards, policyGuardSets } from '../../core/guards/effective-guards.ts'
import type { Budgets } from '../../core/journal/budgets.ts'
import { formatDecimal, ZERO } from '../../core/money/decimal.ts'
import { portfolioOf } from '../../core/policies/kinds.ts'
import { leftToday } from '../../core/runs/plan/limits.ts'
import type { ConfiguredJournal, HaltAccess, PolicyAccess, RunAccess } from '../../place/journal/journal-parts.ts'

export interface BudgetRow {
  /** The path in treasury.json. */
  readonly field: string
  /** The unit of the figures: an asset, or values in an asset. */
  readonly unit: string
  readonly daily: string
  readonly left: string
  readonly isRolling: boolean
}

export interface TurnoverRow {
  readonly policy: string
  readonly asset: string
  readonly today: string
  /** Absent: not bounded. */
  readonly daily?: string
}

/** A file may bound a thousand assets. */
const MOST_ROWS = 60

/**
 * Codes count as treasury.json spells them, in capitals. An equity that is named by its ticker has its budget
 * elsewhere.
 */
export async function readBudgets(
  { budgets, namesOf, treasury }: ConfiguredJournal & PolicyAccess & Pick<HaltAccess, 'namesOf'>,
  nowMs: number,
): Promise<BudgetRow[]> {
  const ofPolicies = await mapBounded(Object.entries(treasury.policies), READS_AT_ONCE, async ([name, policy]) => {
    const { guards, valuationAsset = treasury.guards.valuationAsset } = policy
    return policyGuardSets(name, await namesOf(name), { guards, valuationAsset })
  })
  const sets = [globalGuards(treasury.guards), ...ofPolicies.flat()]
  const bounds = sets.flatMap((set) => boundsIn(set, (code) => code.toUpperCase()))
  const daily = bounds.filter(({ bound }) => bound.daily !== undefined).slice(0, MOST_ROWS)
  return Promise.all(daily.map((bound) => rowOf(bound, nowMs, budgets.settled)))
}

async function rowOf(bound: CountedBound, nowMs: number, budgets: Pick<Budgets, 'left'>): Promise<BudgetRow> {
  const { field, asset, valuationAsset, isRolling } = bound
  const left = (await leftToday(bound, nowMs, budgets)) ?? ZERO
  const unit = valuationAsset ?? asset ?? ''
  return { field, unit, daily: bound.bound.daily ?? '', left: formatDecimal(left), isRolling }
}

export async function readTurnovers(
  { runJournal, treasury }: ConfiguredJournal & RunAccess,
  nowMs: number,
): Promise<TurnoverRow[]> {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const rows = await Promise.all(
    Object.entries(treasury.policies).map(async ([policy, configured]) => {
      const { turnover } = await runJournal.policy(policy)
      const daily = portfolioOf(configured)?.turnover.day
      const isTodays = turnover?.day === today
      if (!isTodays && daily === undefined) return []
      const asset = configured.valuationAsset ?? treasury.guards.valuationAsset
      const known = isTodays ? { asset: turnover.asset, today: turnover.value } : { asset, today: '0' }
      return [{ policy, ...known, ...(daily !== undefined && { daily }) }]
    }),
  )
  return rows.flat()
}
