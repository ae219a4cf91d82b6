// The interface of a policy kind: everything that differs between kinds, save how a run is planned (planner.ts in the
// folder of a kind) and what `sluice setup init` asks (setup.ts there). Nothing outside core/policies compares kinds.
// Amounts are texts in settled units, as treasury.json has them. Pure.
import type { Guards } from '../contract/guards.ts'
import type { FundPolicy, Keep, Policy, PolicyKind, RebalancePolicy, SweepRule } from '../contract/policies.ts'
import type { Path, PolicyFault } from './policy-fault.ts'
import type { OwnReferences } from './references.ts'

export type OfKind<K extends PolicyKind> = Extract<Policy, { kind: K }>

/** Methods take policies of their own kind only: ask through `kinds.ts`, which finds the right one. */
export interface Kind<P extends Policy = Policy> {
  /** Whether its runs end with withdrawals: then the Sweep state machine carries them out, and otherwise Rebalance does. */
  readonly withdraws: boolean

  /** Returns what is wrong across its own fields. `guards` are those of everything. */
  faults(path: Path, policy: P, guards: Guards): PolicyFault[]
  /** Returns each `keep` with the place that holds it. */
  keeps(path: Path, policy: P): { readonly at: Path; readonly keep: Keep }[]
  /** Returns what the policy names at the service. */
  references(policy: P, hubs: readonly string[]): OwnReferences
  /** Returns the assets that it may sell or withdraw; `any` where the account's holdings say which. */
  givesUp(policy: P, hubs: readonly string[]): readonly string[] | 'any'
  /** Returns the assets that it counts whole, each once, as treasury.json spells them. Empty for one that withdraws. */
  ownAssets(policy: P, valuationAsset: string): readonly string[]

  /** Returns the withdrawals that a run may make, each with the conversion ahead of it. Absent: it only converts. */
  withdrawals?(policy: P): readonly WithdrawalTerms[]
  /** Returns the value of its smallest conversion. Absent: the service's own minimum is the only one. */
  smallestTrade?(policy: P): string
  /** Returns assets that it does not touch although it sees them. Absent: none. */
  leavesAlone?(policy: P): readonly string[]
  /** Returns the asset whose deposit starts a run; undefined where deposits start none. Absent: deposits start none. */
  startedByDepositOf?(policy: P): string | undefined

  /** The roles that it has in a conflict with other policies (core/treasury/policy-conflicts.ts). Absent: not its role. */
  portfolio?(policy: P): Portfolio
  purchase?(policy: P): Purchase
  drains?(path: Path, policy: P): Drain[]
  arrival?(policy: P): Arrival
}

/** A withdrawal to one contact, as a rule of a sweep has it. */
export type WithdrawalTerms = SweepRule & {
  /** Begins the keys of its legs, and of no other withdrawal's. */
  readonly key: string
  /** This amount is taken, or nothing at all. */
  readonly exactly?: string | undefined
}

/** Assets that are held at targets. */
export type Portfolio = Pick<
  RebalancePolicy,
  'weights' | 'amounts' | 'band' | 'smallestTrade' | 'turnover' | 'reserve' | 'hubs' | 'valuationAsset'
>

/** An asset that is bought with others once there is too little of it. */
export type Purchase = Pick<FundPolicy, 'asset' | 'atLeast' | 'target' | 'from'>

/** Every arrival of `asset` becomes `into`. */
export interface Arrival {
  readonly asset: string
  readonly into: string
}

/** A part of a policy that lets an asset go: all above `keep`. */
export interface Drain {
  readonly at: Path
  readonly verb: string
  readonly keep: Keep
  /** The assets that it names; undefined: all but some. */
  readonly codes: readonly string[] | undefined
  takes(asset: string): boolean
}
