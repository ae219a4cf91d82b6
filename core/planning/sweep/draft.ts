// Holds a plan of sweeps while it is put together: legs by stage, what they take from assets and guards, reasons for missing
// legs, and missing prices. It decides which stages become phases. The other files of this folder decide what is moved.
import {
  type GuardMessage,
  MOST_LEGS,
  MOST_LEGS_WITH_ROWS,
  type NonLeg,
  NonLegCode,
  type PlanLeg,
} from '../../contract/plan.ts'
import type { SettledAmount } from '../../money/amount.ts'
import { type Decimal, formatDecimal, minus, plus, ZERO } from '../../money/decimal.ts'
import type { RequiredPrice, Snapshot } from '../market/snapshot.ts'
import { createValuation, type Valuation } from '../market/valuation.ts'
import { type Allowance, createSweepLimits, type Move, type SweepLimits } from './limits.ts'
import { type SettledCode, type SweepTask, settledCodes } from './task.ts'
import type { Obstacle } from './withdrawal-terms.ts'

/** Stages in their order; each stage with legs becomes a phase. */
const STAGES = ['convert', 'withdraw', 'rest'] as const
export type Stage = (typeof STAGES)[number]

export interface StagedLeg {
  readonly stage: Stage
  readonly leg: PlanLeg
}

export interface SweepDraft {
  readonly snapshot: Snapshot
  readonly valuation: Valuation
  readonly codeOf: SettledCode
  readonly tasks: readonly SweepTask[]
  /** Whether a person's approval depends on values. */
  readonly isValueNeeded: boolean
  /** Replaced by the copy on which a group of legs was tried. */
  limits: SweepLimits
  readonly canaries: Set<string>
  /** Keys of stranded balances that planned withdrawals move on. */
  readonly carried: Set<string>
  /** By asset: units that planned conversions bring, and that stay to fill its floor. */
  readonly refilled: Map<string, Decimal>
  readonly nonLegs: NonLeg[]
  readonly guards: GuardMessage[]
  readonly required: RequiredPrice[]
  readonly staged: StagedLeg[]
  /** Units of an asset that planned legs take from the present balance. */
  takenOf(asset: string): Decimal
  take(asset: string, units: Decimal): void
  refuse(asset: string, obstacle: Obstacle): void
  /** An obstacle where the run has no room for this many more legs: then no leg needs to be computed. */
  findCrowding(legs: number): Obstacle | undefined
  /** Adds all legs or no leg, because they only make sense together. */
  add(asset: string, legs: readonly StagedLeg[]): boolean
}

export function createDraft(
  snapshot: Snapshot,
  tasks: readonly SweepTask[],
  hubs: readonly string[],
  isValueNeeded: boolean,
): SweepDraft {
  const valuation = createValuation(snapshot, hubs)
  const taken = new Map<string, Decimal>()
  const mostLegs = snapshot.payments === undefined ? MOST_LEGS : MOST_LEGS_WITH_ROWS
  const draft: SweepDraft = {
    snapshot,
    valuation,
    codeOf: settledCodes(snapshot),
    tasks,
    isValueNeeded,
    limits: createSweepLimits(snapshot.limits, valuation.dearPriceOf),
    canaries: new Set(),
    carried: new Set(),
    refilled: new Map(),
    nonLegs: [],
    guards: [],
    required: [],
    staged: [],
    takenOf: (asset) => taken.get(asset) ?? ZERO,
    take: (asset, units) => void taken.set(asset, plus(draft.takenOf(asset), units)),
    refuse: (asset, { code, reason }) => void draft.nonLegs.push({ asset, code, reason }),
    findCrowding(legs) {
      if (draft.staged.length + legs <= mostLegs) return undefined
      return { code: NonLegCode.CutShort, reason: `a run has at most ${mostLegs} legs: the next one takes this up` }
    },
    add(asset, legs) {
      const crowding = draft.findCrowding(legs.length)
      if (crowding) {
        draft.refuse(asset, crowding)
        return false
      }
      draft.staged.push(...legs)
      for (const { leg } of legs) if ('isCanary' in leg && leg.isCanary) draft.canaries.add(leg.contactId)
      return true
    },
  }
  return draft
}

/** Legs in the order of their phases; there are as many phases as stages with legs. */
export function phasedLegs(staged: readonly StagedLeg[]): PlanLeg[] {
  const phases = STAGES.filter((stage) => staged.some((each) => each.stage === stage))
  return phases.flatMap((stage, index) =>
    staged.filter((each) => each.stage === stage).map(({ leg }) => ({ ...leg, phase: index + 1 })),
  )
}

/** An obstacle where the value is unknown and a guard or a person needs it. */
export function findPriceObstacle(draft: SweepDraft, move: Move): Obstacle | undefined {
  if (!draft.limits.needsPrice(move) && !(draft.isValueNeeded && move.price === null)) return undefined
  const reason = `no market tells the value of ${move.asset} in ${draft.snapshot.valuationAsset}, and bounds hang on it`
  return { code: NonLegCode.NoPrice, reason }
}

interface CutLeg {
  readonly key: string
  /** Amount that would go without the guard. */
  readonly planned: SettledAmount
  readonly allowance: Allowance
}

/** Reports the guard, and the part that stays because of it. */
export function reportCut(draft: SweepDraft, { key, planned, allowance }: CutLeg): void {
  const { guard, message, most } = allowance
  const { asset, value } = planned
  draft.guards.push({
    guard,
    leg: key,
    says: `${message}: less goes than the ${formatDecimal(value)} ${asset} that could`,
  })
  const reason = `${guard} ${message}: ${formatDecimal(minus(value, most))} ${asset} stays for now`
  draft.refuse(asset, { code: NonLegCode.Guard, reason })
}

/** The obstacle of a leg for which a guard leaves too little to send. */
export function guardObstacle({ guard, message }: Allowance, { reason }: Obstacle): Obstacle {
  return { code: NonLegCode.Guard, reason: `${guard} ${message}: ${reason}` }
}
