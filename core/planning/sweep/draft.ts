// A plan of sweeps as it is put together: legs by stage, what they take of assets and guards, why others are not there,
// and prices that are missing. It decides which stages are phases. What goes, its neighbours decide.
import { type GuardSaying, MOST_LEGS, type NonLeg, NonLegCode, type PlanLeg } from '../../contract/plan.ts'
import type { SettledAmount } from '../../money/amount.ts'
import { type Decimal, formatDecimal, minus, plus, ZERO } from '../../money/decimal.ts'
import type { RequiredPrice, Snapshot } from '../market/snapshot.ts'
import { createValuation, type Valuation } from '../market/valuation.ts'
import { type Allowance, createSweepLimits, type Move, type SweepLimits } from './limits.ts'
import { type SettledCode, type SweepTask, settledCodes } from './task.ts'
import type { Obstacle } from './withdrawal-terms.ts'

/** In this order; each that has legs is a phase. */
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
  /** True where a person's approval hangs on values. */
  readonly isValueNeeded: boolean
  /** Replaced by the copy that a group of legs was tried on. */
  limits: SweepLimits
  /** Contacts to which a canary is planned. */
  readonly canaries: Set<string>
  /** Stranded balances, by their keys, that planned withdrawals carry on. */
  readonly carried: Set<string>
  /** Units of an asset that planned conversions bring, and that stay to make up its floor. */
  readonly refilled: Map<string, Decimal>
  readonly nonLegs: NonLeg[]
  readonly guards: GuardSaying[]
  readonly required: RequiredPrice[]
  readonly staged: StagedLeg[]
  /** Units of an asset that planned legs take from what is there now. */
  takenOf(asset: string): Decimal
  take(asset: string, units: Decimal): void
  refuse(asset: string, obstacle: Obstacle): void
  /** Is there none for so many more legs? Then nothing more needs to be worked out. */
  findCrowding(legs: number): Obstacle | undefined
  /** All or none, as none of them makes sense alone. */
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
      if (draft.staged.length + legs <= MOST_LEGS) return undefined
      return { code: NonLegCode.CutShort, reason: `a run has at most ${MOST_LEGS} legs: the next one takes this up` }
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

/** Legs in the order of their phases, as many phases as there are stages with legs. */
export function phasedLegs(staged: readonly StagedLeg[]): PlanLeg[] {
  const phases = STAGES.filter((stage) => staged.some((each) => each.stage === stage))
  return phases.flatMap((stage, index) =>
    staged.filter((each) => each.stage === stage).map(({ leg }) => ({ ...leg, phase: index + 1 })),
  )
}

/** Is its value unknown where a guard or a person needs it? */
export function findPriceObstacle(draft: SweepDraft, move: Move): Obstacle | undefined {
  if (!draft.limits.needsPrice(move) && !(draft.isValueNeeded && move.price === null)) return undefined
  const reason = `no market tells the value of ${move.asset} in ${draft.snapshot.valuationAsset}, and bounds hang on it`
  return { code: NonLegCode.NoPrice, reason }
}

/** A leg that a guard makes smaller. */
export interface CutLeg {
  readonly key: string
  /** What would go without the guard. */
  readonly planned: SettledAmount
  readonly allowance: Allowance
}

/** Reports the guard, and what stays behind because of it. */
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

/** Of a leg that a guard leaves nothing worth sending of. */
export function guardObstacle({ guard, message }: Allowance, { reason }: Obstacle): Obstacle {
  return { code: NonLegCode.Guard, reason: `${guard} ${message}: ${reason}` }
}
