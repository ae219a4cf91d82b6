// Every kind of policy with its expected legs: the rows of a matrix whose columns are the ways to start a run.
// plain-words-ignore: the table below is no sentence. The columns are:
//
//   schedule, fired twice for one time     | triggers.long.test.ts
//   event, put twice and delivered twice   | triggers.long.test.ts
//   signed webhook, delivered twice        | triggers.long.test.ts, for the one kind that it starts
//   `sluice run … --service URL`, twice    | command.long.test.ts, against a service in another process
//
// Each cell is one run, with the legs of its row, and a movement for each leg that moves.
import { RequestEvent } from '../../../core/contract/events.ts'
import { NonLegCode } from '../../../core/contract/plan.ts'
import { StateMachine } from '../../../core/contract/states.ts'

export interface Row {
  readonly name: string
  readonly policy: (contactId: (reference: string) => string) => Readonly<Record<string, unknown>>
  readonly machine: 'rebalance' | 'sweep'
  /** Available balances when a run starts, in settled units. */
  readonly given: Readonly<Record<string, string>>
  /** Ends of the legs, in the order of the plan. */
  readonly legs: readonly string[]
  /** Ends of the legs of every later run, if they differ. */
  readonly laterLegs?: readonly string[]
  readonly outcome: string
  /** Why its asset stays where it is. */
  readonly nonLeg?: NonLegCode
  /** The asset whose deposits also start it. */
  readonly deposits?: string
}

const FILLED = 'FILLED'
const COMPLETED = 'COMPLETED'
const SETTLED = 'SETTLED'

export const ROWS: readonly Row[] = [
  {
    name: 'rebalance',
    policy: () => ({ kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.3', USD: '0.2' } }),
    machine: 'rebalance',
    given: { BTC: '1', ETH: '0', USD: '30000' },
    legs: [FILLED, FILLED],
    outcome: SETTLED,
  },
  {
    name: 'fund',
    policy: () => ({ kind: 'fund', asset: 'CHF', atLeast: '1000', target: '1200', from: [{ asset: 'EUR' }] }),
    machine: 'rebalance',
    given: { CHF: '0', EUR: '5000' },
    legs: [FILLED, FILLED],
    outcome: SETTLED,
  },
  {
    name: 'convert-on-arrival',
    policy: () => ({ kind: 'convert-on-arrival', asset: 'XRP', into: 'USDC' }),
    machine: 'rebalance',
    given: { XRP: '900' },
    legs: [FILLED],
    outcome: SETTLED,
    deposits: 'XRP',
  },
  {
    name: 'sweep',
    policy: (contactId) => sweep({ assets: ['SOL'], keep: { target: '100' }, contactId: contactId('subsidiary') }),
    machine: 'sweep',
    given: { SOL: '150' },
    legs: [COMPLETED],
    outcome: SETTLED,
  },
  {
    name: 'sweep-converted',
    policy: (contactId) =>
      sweep({ assets: ['LINK'], convertInto: 'USDC', contactId: contactId('exchange-usdc-eth'), feeCeilingBps: 50 }),
    machine: 'sweep',
    given: { LINK: '300' },
    legs: [FILLED, COMPLETED],
    outcome: SETTLED,
  },
  {
    name: 'sweep-canary',
    policy: (contactId) =>
      sweep({ assets: ['USDT'], keep: { target: '1000' }, contactId: contactId('supplier-usdt-tron'), canary: true }),
    machine: 'sweep',
    given: { USDT: '5000' },
    legs: [COMPLETED, COMPLETED],
    // The contact has been paid before.
    laterLegs: [COMPLETED],
    outcome: SETTLED,
  },
  {
    name: 'sweep-too-dear',
    policy: (contactId) => sweep({ assets: ['AAPLSPV'], contactId: contactId('equity-vault'), feeCeilingBps: 5 }),
    machine: 'sweep',
    given: { AAPLSPV: '10' },
    legs: [],
    outcome: 'NOTHING_TO_DO',
    nonLeg: NonLegCode.FeeTooDear,
  },
  {
    name: 'convert-and-withdraw',
    policy: (contactId) => ({
      ...{ kind: 'convert-and-withdraw', from: 'EURC', into: 'EUR', amount: '400' },
      contactId: contactId('house-bank-eur'),
    }),
    machine: 'sweep',
    given: { EURC: '1000' },
    legs: [FILLED, COMPLETED],
    outcome: SETTLED,
  },
]

function sweep(rule: Readonly<Record<string, unknown>>) {
  return { kind: 'sweep', rules: [rule] }
}

/** The policies by name, all in one treasury, because they leave each other's assets alone. */
export function policiesOf(contactId: (reference: string) => string, more = {}): Record<string, object> {
  return Object.fromEntries(ROWS.map(({ name, policy }) => [name, { ...policy(contactId), ...more }]))
}

export const machineOf = ({ machine }: Pick<Row, 'machine'>): StateMachine =>
  machine === 'sweep' ? StateMachine.Sweep : StateMachine.Rebalance

export const eventOf = ({ machine }: Pick<Row, 'machine'>): RequestEvent =>
  machine === 'sweep' ? RequestEvent.Sweep : RequestEvent.Rebalance
