// Defines the interface of a policy kind: everything in which kinds differ. Two parts are in the folder of a kind: planner.ts
// plans a run, and setup.ts has what `sluice setup init` asks. Nothing outside core/policies compares kinds. Amounts are texts
// in settled units, as in treasury.json. Types only.
import type { Guards } from '../contract/guards.ts'
import type { PayoutFiles, PayoutRow } from '../contract/payouts.ts'
import type { FundPolicy, Keep, Policy, PolicyKind, RebalancePolicy, WithdrawalTerms } from '../contract/policies.ts'
import type { Path, PolicyFault } from './policy-fault.ts'
import type { OwnReferences } from './references.ts'

export type OfKind<K extends PolicyKind> = Extract<Policy, { kind: K }>

/** The methods take policies of their own kind only. Callers go through `kinds.ts`, which finds the right kind. */
export interface Kind<P extends Policy = Policy> {
  /** Whether its runs end with withdrawals: the Sweep state machine carries those out, and Rebalance all others. */
  readonly withdraws: boolean

  /** Returns the faults across the policy's own fields. `guards`: the deployment's. */
  faults(path: Path, policy: P, guards: Guards): PolicyFault[]
  keeps(path: Path, policy: P): { readonly at: Path; readonly keep: Keep }[]
  /** Returns what the policy names at the service. */
  references(policy: P, hubs: readonly string[]): OwnReferences
  /** Returns the assets that the policy may sell or withdraw; `any` where they depend on the account's holdings. */
  givesUp(policy: P, hubs: readonly string[]): readonly string[] | 'any'
  /**
   * Returns the assets that count as the policy's own, each once, spelled as in treasury.json. Empty for a kind that withdraws.
   */
  ownAssets(policy: P, valuationAsset: string): readonly string[]

  /** Returns the withdrawals that a run may make, each with the conversion ahead of it. Absent: it only converts. */
  withdrawals?(policy: P): readonly WithdrawalTerms[]
  /** Whether it converts although no withdrawal names a conversion ahead of it. Absent: it does not. */
  convertsFirst?(policy: P): boolean
  /** Returns the policy with the rows that its run's request gives. Absent: its runs take no rows. */
  withRows?(policy: P, rows: readonly PayoutRow[]): P
  /** Returns where files with rows come from; undefined, or absent: no place starts a run. */
  files?(policy: P): PayoutFiles | undefined
  /** Returns the payments of a run that happen once over all runs, by the ids of their rows. Absent: none. */
  payments?(policy: P): readonly Payment[]
  /** Returns the value of its smallest conversion. Absent: only the service's own minimum applies. */
  smallestTrade?(policy: P): string
  /** Returns assets that the policy does not touch although it sees them. Absent: it touches all of them. */
  leavesAlone?(policy: P): readonly string[]
  /** Returns the asset whose deposit starts a run; undefined, or absent: deposits start no run. */
  startedByDepositOf?(policy: P): string | undefined

  /**
   * The next four are the roles of the kind in conflicts with other policies (core/treasury/policy-conflicts.ts). Absent: it
   * has no such role.
   */
  portfolio?(policy: P): Portfolio
  purchase?(policy: P): Purchase
  drains?(path: Path, policy: P): Drain[]
  arrival?(policy: P): Arrival
}

/** A payment with an id of its own, in the terms by which an earlier run with the same id is compared. */
export interface Payment extends PayoutRow {
  readonly feeMode: 'deduct' | 'add'
}

/** Assets that are held at targets. */
export type Portfolio = Pick<
  RebalancePolicy,
  'weights' | 'amounts' | 'band' | 'smallestTrade' | 'turnover' | 'reserve' | 'hubs' | 'valuationAsset'
>

/** An asset that the policy buys with others once there is too little of it. */
export type Purchase = Pick<FundPolicy, 'asset' | 'atLeast' | 'target' | 'from'>

/** Every arrival of `asset` becomes `into`. */
export interface Arrival {
  readonly asset: string
  readonly into: string
}

/** A part of a policy that lets everything of an asset above `keep` go. */
export interface Drain {
  readonly at: Path
  readonly verb: string
  readonly keep: Keep
  /** The named assets; undefined: all but the named assets. */
  readonly codes: readonly string[] | undefined
  takes(asset: string): boolean
}
