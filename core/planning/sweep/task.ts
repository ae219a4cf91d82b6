// A task is one withdrawal of a policy in the form that planners use. This file says which assets a task takes, and how the
// keys of its legs are made. It does not decide how much is withdrawn.
import type { WithdrawalTerms } from '../../contract/policies.ts'
import { type Decimal, parseDecimal } from '../../money/decimal.ts'
import type { Snapshot } from '../market/snapshot.ts'
import type { FeeTerms } from './withdrawal-terms.ts'

export interface SweepTask extends FeeTerms {
  /** First part of the keys of its legs; no other task has it. */
  readonly key: string
  /** The task has either `assets` or `allBut`, spelled as in the policy. */
  readonly assets?: readonly string[]
  readonly allBut?: readonly string[]
  /** Nothing goes until there is more than `trigger`; then everything above `target` goes. */
  readonly keep: { readonly target: Decimal; readonly trigger: Decimal }
  readonly contactId: string
  readonly convertInto?: string
  readonly canary: boolean
  /** Units: exactly this much goes, or nothing. */
  readonly exactly?: Decimal
}

export function taskOf(terms: WithdrawalTerms): SweepTask {
  const { key, assets, allBut, convertInto, exactly, keep, contactId, canary } = terms
  return {
    key,
    ...(assets !== undefined && { assets }),
    ...(allBut !== undefined && { allBut }),
    ...(convertInto !== undefined && { convertInto }),
    keep: {
      target: parseDecimal(keep.target, 'keep.target'),
      trigger: parseDecimal(keep.trigger ?? keep.target, 'keep.trigger'),
    },
    contactId,
    canary,
    ...(exactly !== undefined && { exactly: parseDecimal(exactly, 'amount') }),
    ...feeTermsOf(terms),
  }
}

function feeTermsOf({ feeMode, feeCeilingBps, smallest }: WithdrawalTerms): FeeTerms {
  return {
    feeMode,
    ...(feeCeilingBps !== undefined && { feeCeilingBps }),
    ...(smallest !== undefined && { smallest: parseDecimal(smallest, 'smallest') }),
  }
}

export type LegPurpose = 'convert' | 'canary' | 'withdraw'

/** The leg's key; it is unique within the plan. */
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

/** The task's assets in a fixed order, and the spellings that the service does not know. */
export interface Selection {
  readonly assets: readonly string[]
  readonly unknown: readonly string[]
}

/**
 * With `allBut`, all held assets except those. An unknown exception makes the selection empty, because it may be another name
 * of a held asset.
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

/** Whether the task sweeps the asset itself, and not only what conversions bring of it. */
export function covers(task: SweepTask, asset: string, codeOf: SettledCode): boolean {
  const isNamed = (task.assets ?? task.allBut ?? []).some((spelling) => codeOf(spelling) === asset)
  return task.assets === undefined ? !isNamed : isNamed
}
