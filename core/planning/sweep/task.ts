// One rule of a sweep, or a convert-and-withdraw, in one form; which assets it takes, and how much of each is
// above what stays. Pure; settled units.
import { NonLegCode } from '../../contract/plan.ts'
import {
  type ConvertAndWithdrawPolicy,
  type Keep,
  PolicyKind,
  type SweepPolicy,
  type WithdrawingPolicy,
} from '../../contract/policies.ts'
import { type Decimal, formatDecimal, greatest, least, minus, parseDecimal, ZERO } from '../../money/decimal.ts'
import type { Snapshot } from '../market/snapshot.ts'
import type { FeeTerms, Obstacle } from './withdrawal-terms.ts'

export interface SweepTask extends FeeTerms {
  /** Begins the keys of its legs, and of no other task's. */
  readonly key: string
  /** One of the two, as the policy spells them. */
  readonly assets?: readonly string[]
  readonly allBut?: readonly string[]
  /** Nothing goes until there is more than `trigger`; then all above `target`. */
  readonly keep: { readonly target: Decimal; readonly trigger: Decimal }
  readonly contactId: string
  readonly convertInto?: string
  readonly canary: boolean
  /** So much, or nothing at all. */
  readonly exactly?: Decimal
}

export function tasksOfSweep({ rules }: SweepPolicy): SweepTask[] {
  return rules.map((rule, index) => ({
    key: `rule${index + 1}-`,
    ...(rule.assets !== undefined && { assets: rule.assets }),
    ...(rule.allBut !== undefined && { allBut: rule.allBut }),
    ...(rule.convertInto !== undefined && { convertInto: rule.convertInto }),
    keep: keepOf(rule.keep),
    contactId: rule.contactId,
    canary: rule.canary,
    ...feeTermsOf(rule),
  }))
}

export function tasksOf(policy: WithdrawingPolicy): SweepTask[] {
  return policy.kind === PolicyKind.Sweep ? tasksOfSweep(policy) : [taskOfPayment(policy)]
}

export function taskOfPayment(policy: ConvertAndWithdrawPolicy): SweepTask {
  return {
    key: '',
    assets: [policy.from],
    convertInto: policy.into,
    keep: keepOf(policy.keep),
    contactId: policy.contactId,
    canary: false,
    ...(policy.amount !== undefined && { exactly: parseDecimal(policy.amount, 'amount') }),
    ...feeTermsOf(policy),
  }
}

function keepOf({ target, trigger }: Keep): SweepTask['keep'] {
  return { target: parseDecimal(target, 'keep.target'), trigger: parseDecimal(trigger ?? target, 'keep.trigger') }
}

type WrittenTerms = Pick<ConvertAndWithdrawPolicy, 'feeMode' | 'feeCeilingBps' | 'smallest'>

function feeTermsOf({ feeMode, feeCeilingBps, smallest }: WrittenTerms): FeeTerms {
  return {
    feeMode,
    ...(feeCeilingBps !== undefined && { feeCeilingBps }),
    ...(smallest !== undefined && { smallest: parseDecimal(smallest, 'smallest') }),
  }
}

/** The settled code behind a spelling in any case; `undefined` where the service has no such asset. */
export type SettledCode = (spelling: string) => string | undefined

export function settledCodes({ assets }: Snapshot): SettledCode {
  let byLowerCase: Map<string, string> | undefined
  return (spelling) => {
    if (assets.has(spelling)) return spelling
    byLowerCase ??= new Map([...assets.keys()].map((code) => [code.toLowerCase(), code]))
    return byLowerCase.get(spelling.toLowerCase())
  }
}

/** A spelling that is no asset, or the assets of the task in a fixed order. */
export interface Selection {
  readonly assets: readonly string[]
  readonly unknown: readonly string[]
}

/**
 * With `allBut`, all that is held but those; one exception that is not known takes nothing at all, as it may be
 * one of what is held by another name.
 */
export function selectAssets(task: SweepTask, snapshot: Snapshot, codeOf: SettledCode): Selection {
  const named = task.assets ?? task.allBut ?? []
  const unknown = named.filter((spelling) => codeOf(spelling) === undefined)
  const known = [...new Set(named.flatMap((spelling) => codeOf(spelling) ?? []))]
  if (task.assets !== undefined) return { assets: known, unknown }
  if (unknown.length > 0) return { assets: [], unknown }
  const spared = new Set(known)
  const held = [...snapshot.positions].filter(([code, { spendable }]) => spendable > 0n && !spared.has(code))
  return { assets: held.map(([code]) => code).sort(), unknown }
}

/** Does the task sweep this asset as it is, not what conversions bring of it? */
export function covers(task: SweepTask, asset: string, codeOf: SettledCode): boolean {
  const isNamed = (task.assets ?? task.allBut ?? []).some((spelling) => codeOf(spelling) === asset)
  return task.assets === undefined ? !isNamed : isNamed
}

/** What stays of an asset that conversions bring: the least that any task which sweeps it as it is would leave. */
export function floorOfProceeds(tasks: readonly SweepTask[], asset: string, codeOf: SettledCode): Decimal {
  const floors = tasks.filter((task) => covers(task, asset, codeOf)).map(({ keep }) => keep.target)
  return (
    floors.reduce<Decimal | undefined>((low, floor) => (low === undefined ? floor : least(low, floor)), undefined) ??
    ZERO
  )
}

/** What may be given up: neither frozen nor about to leave. `planned`: given up already by this plan. */
export function availableOf(snapshot: Snapshot, asset: string, planned: Decimal = ZERO): Decimal {
  const position = snapshot.positions.get(asset)
  if (position === undefined) return ZERO
  return greatest(minus(least(position.spendable, position.holding), planned), ZERO)
}

/** What is above what stays, or why nothing is to go. */
export function findSurplus(task: SweepTask, asset: string, snapshot: Snapshot, planned?: Decimal): Decimal | Obstacle {
  const { target, trigger } = task.keep
  const there = availableOf(snapshot, asset, planned)
  const inDoubt = snapshot.positions.get(asset)?.inDoubt
  if (inDoubt !== undefined) {
    return { code: NonLegCode.InDoubt, reason: `${asset} is left until it is known what became of ${inDoubt}` }
  }
  if (there === 0n) return { code: NonLegCode.NothingSpendable, reason: `there is no ${asset} that could be given up` }
  if (there <= trigger) {
    const reason = `${formatDecimal(there)} ${asset} is not more than ${formatDecimal(trigger)}, where this begins`
    return { code: NonLegCode.BelowTrigger, reason }
  }
  const surplus = minus(there, target)
  if (task.exactly === undefined) return surplus
  if (surplus >= task.exactly) return task.exactly
  const reason = `${formatDecimal(surplus)} ${asset} above what stays is less than the ${formatDecimal(task.exactly)} asked for`
  return { code: NonLegCode.NothingSpendable, reason }
}
