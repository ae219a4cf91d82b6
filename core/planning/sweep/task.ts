// One withdrawal of a policy, in the form that planners take it in: the task. It says which assets the task takes, and by which
// keys its legs are known. How much goes is not decided here.
import type { Keep, Policy } from '../../contract/policies.ts'
import { type Decimal, parseDecimal } from '../../money/decimal.ts'
import type { WithdrawalTerms } from '../../policies/kind.ts'
import { withdrawalsOf } from '../../policies/kinds.ts'
import type { Snapshot } from '../market/snapshot.ts'
import type { FeeTerms } from './withdrawal-terms.ts'

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

/** Empty for a policy that only converts. */
export function tasksOf(policy: Policy): SweepTask[] {
  return withdrawalsOf(policy).map(taskOf)
}

function taskOf(terms: WithdrawalTerms): SweepTask {
  const { key, assets, allBut, convertInto, exactly, keep, contactId, canary } = terms
  return {
    key,
    ...(assets !== undefined && { assets }),
    ...(allBut !== undefined && { allBut }),
    ...(convertInto !== undefined && { convertInto }),
    keep: keepOf(keep),
    contactId,
    canary,
    ...(exactly !== undefined && { exactly: parseDecimal(exactly, 'amount') }),
    ...feeTermsOf(terms),
  }
}

function keepOf({ target, trigger }: Keep): SweepTask['keep'] {
  return { target: parseDecimal(target, 'keep.target'), trigger: parseDecimal(trigger ?? target, 'keep.trigger') }
}

function feeTermsOf({ feeMode, feeCeilingBps, smallest }: WithdrawalTerms): FeeTerms {
  return {
    feeMode,
    ...(feeCeilingBps !== undefined && { feeCeilingBps }),
    ...(smallest !== undefined && { smallest: parseDecimal(smallest, 'smallest') }),
  }
}

/** What a leg of a task does. */
export type LegPurpose = 'convert' | 'canary' | 'withdraw'

/** No other leg of the plan has it. */
export function keyOf(task: SweepTask, asset: string, purpose: LegPurpose): string {
  return `${task.key}${purpose}-${asset}`
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
