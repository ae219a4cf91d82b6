// Lists the questions of `sluice setup init` for each policy kind. Only operations and the command line load this file.
import type { PolicyKind } from '../contract/policies.ts'
import { type KindSetup, listed } from './questions.ts'

const rebalance: KindSetup = {
  asks: ['weights'],
  convertedBy: 'weights',
  draft: (answerOf) => ({
    weights: Object.fromEntries(listed(answerOf('weights')).map((part) => part.split('=', 2))),
  }),
}

const fund: KindSetup = {
  asks: ['asset', 'at-least', 'from'],
  convertedBy: 'from',
  draft: (answerOf) => ({
    asset: answerOf('asset'),
    atLeast: answerOf('at-least'),
    from: listed(answerOf('from')).map((asset) => ({ asset })),
  }),
}

const convertOnArrival: KindSetup = {
  asks: ['asset', 'into', 'keep'],
  convertedBy: 'into',
  draft: (answerOf) => ({ asset: answerOf('asset'), into: answerOf('into'), keep: { target: answerOf('keep') } }),
}

/** Drafts a policy with one rule. */
const sweep: KindSetup = {
  asks: ['assets', 'keep', 'contact'],
  convertedBy: 'assets',
  draft: (answerOf) => ({
    rules: [{ assets: listed(answerOf('assets')), keep: { target: answerOf('keep') }, contactId: answerOf('contact') }],
  }),
  sent: (answerOf) => listed(answerOf('assets')),
}

const convertAndWithdraw: KindSetup = {
  asks: ['sell', 'into', 'keep', 'contact'],
  convertedBy: 'into',
  draft: (answerOf) => ({
    from: answerOf('sell'),
    into: answerOf('into'),
    keep: { target: answerOf('keep') },
    contactId: answerOf('contact'),
  }),
  sent: (answerOf) => [answerOf('into')],
}

/** Its contacts are in the files. */
const payouts: KindSetup = {
  asks: ['assets'],
  isByFile: true,
  convertedBy: 'assets',
  sent: (answerOf) => listed(answerOf('assets')),
  draft: (answerOf) => ({ assets: listed(answerOf('assets')) }),
}

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
