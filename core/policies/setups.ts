// Lists the questions of `sluice setup init` for each policy kind. Only operations and the command line load this file.
import type { PolicyKind } from '../contract/policies.ts'
import { setup as convertAndWithdraw } from './convert-and-withdraw/setup.ts'
import { setup as convertOnArrival } from './convert-on-arrival/setup.ts'
import { setup as fund } from './fund/setup.ts'
import { setup as payouts } from './payouts/setup.ts'
import type { KindSetup } from './questions.ts'
import { setup as rebalance } from './rebalance/setup.ts'
import { setup as sweep } from './sweep/setup.ts'

/** Kinds in the order in which they are offered. Their names are written out, because the contract loads the schema library. */
export const setups: Readonly<Record<PolicyKind, KindSetup>> = {
  rebalance,
  fund,
  'convert-on-arrival': convertOnArrival,
  sweep,
  'convert-and-withdraw': convertAndWithdraw,
  payouts,
}

export const offeredKinds = Object.keys(setups) as readonly PolicyKind[]

/** The kinds whose runs end with withdrawals: `run sweep` carries their policies out. */
export const withdrawingKinds: readonly PolicyKind[] = offeredKinds.filter((kind) => setups[kind].sent !== undefined)
