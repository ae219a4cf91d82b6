// A policy that names an asset, a market or a contact unknown to the service is refused before any leg. The refusal
// gives the place and the nearest name. Planned without it, the rest would be traded for an unintended target.
import { describe, expect, test } from 'vitest'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import type { ShownContact } from '../../../core/movements/withdrawal/payee.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { runWorld, START } from '../../helpers/run-world.ts'

const UPDATED = { updatedAt: START, reference: null }
const CONTACTS: readonly ShownContact[] = [
  { id: 'c-cold-1', type: 'INTERNAL', alias: 'Cold vault', ...UPDATED },
  { id: 'c-desk-2', type: 'INTERNAL', alias: 'Desk', ...UPDATED, reference: 'desk-main' },
]

const ODD = 'unreadable: 0E-8'

/** Which of the service's entries have a figure that cannot be read. */
interface Broken {
  readonly assets?: string
  readonly balances?: string
  readonly markets?: string
}

/** The end of a run of the policy. `guards` apply to everything. */
async function endOf(text: object, { guards = {}, isInline = false, shadow = false } = {}) {
  const policy = policySchema.parse(text)
  const world = runWorld(isInline ? {} : { mix: policy }, guards)
  const findContact = async (id: string) => CONTACTS.find((contact) => contact.id === id)
  const ports = { ...world.ports, service: { ...world.ports.service, findContact, contacts: async () => CONTACTS } }
  const plan = policy.kind === 'sweep' || policy.kind === 'convert-and-withdraw' ? planSweep : planRebalance
  const request = { policy: isInline ? policy : 'mix', shadow }
  const { outcome, legs, why } = await plan({ execution: 'run-1', startedAt: START, request }, ports)
  expect(legs).toEqual([])
  return `${outcome} ${why}`
}

const sweep = (rule: object) => ({ kind: 'sweep', rules: [{ assets: ['A'], contactId: 'c-cold-1', ...rule }] })

describe('a run ends FAILED before any leg', () => {
  test.each<[string, object, string]>([
    [
      'a weight',
      { kind: 'rebalance', weights: { A: '0.2', B: '0.3', USD: '0.3', USDD: '0.2' } },
      'policies.mix.weights.USDD: the service has no asset USDD; did you mean USD?',
    ],
    [
      'the funded asset',
      { kind: 'fund', asset: 'USB', atLeast: '1', from: [{ asset: 'A' }] },
      'policies.mix.asset: the service has no asset USB; did you mean USD?',
    ],
    [
      'what pays',
      { kind: 'fund', asset: 'USD', atLeast: '1', from: [{ asset: 'A' }, { asset: 'QUITE-OTHER' }] },
      'policies.mix.from[1].asset: the service has no asset QUITE-OTHER',
    ],
    [
      'the bought asset',
      { kind: 'convert-on-arrival', asset: 'A', into: 'UDS' },
      'policies.mix.into: the service has no asset UDS; did you mean USD?',
    ],
    [
      'a hub',
      { kind: 'rebalance', weights: { A: '1' }, hubs: ['UUSD'] },
      'policies.mix.hubs[0]: the service has no asset UUSD; did you mean USD?',
    ],
    [
      'the excluded asset',
      { kind: 'rebalance', weights: { A: '1' }, leaveAlone: ['USDX'] },
      'policies.mix.leaveAlone[0]: the service has no asset USDX; did you mean USD?',
    ],
    [
      'the valuation asset',
      { kind: 'rebalance', weights: { A: '1' }, valuationAsset: 'USX' },
      'policies.mix.valuationAsset: the service has no asset USX; did you mean USD?',
    ],
    [
      'an exception of a sweep',
      sweep({ assets: undefined, allBut: ['USDA'] }),
      'policies.mix.rules[0].allBut[0]: the service has no asset USDA; did you mean USD?',
    ],
    [
      'the asset that a sweep converts into',
      sweep({ convertInto: 'USDU' }),
      'policies.mix.rules[0].convertInto: the service has no asset USDU; did you mean USD?',
    ],
    [
      'a contact',
      sweep({ contactId: 'c-cold-7' }),
      'policies.mix.rules[0].contactId: the service has no contact c-cold-7; did you mean c-cold-1 (Cold vault)?',
    ],
    [
      'a contact by its alias',
      sweep({ contactId: 'Cold vault' }),
      'policies.mix.rules[0].contactId: the service has no contact Cold vault; did you mean c-cold-1 (Cold vault)?',
    ],
    [
      'a contact by its reference',
      { kind: 'convert-and-withdraw', from: 'A', into: 'USD', contactId: 'desk-main' },
      'policies.mix.contactId: the service has no contact desk-main; did you mean c-desk-2 (Desk)?',
    ],
    [
      'a market that is allowed',
      { kind: 'rebalance', weights: { A: '1' }, guards: { allowedMarkets: ['a-usd', 'B-UDS'] } },
      'policies.mix.guards.allowedMarkets[1]: the service has no market B-UDS; did you mean B-USD?',
    ],
    [
      'a contact that is allowed',
      { ...sweep({}), guards: { allowedContacts: ['c-cold-1', 'c-desk-3'] } },
      'policies.mix.guards.allowedContacts[1]: the service has no contact c-desk-3; did you mean c-desk-2 (Desk)?',
    ],
  ])('if the service does not have %s', async (_what, policy, says) => {
    expect(await endOf(policy)).toBe(`FAILED ${says}`)
  })

  test.each<[string, object, string]>([
    [
      'an asset',
      { assets: { USDD: { daily: '1' } } },
      'guards.assets.USDD: the service has no asset USDD; did you mean',
    ],
    ['an outflow', { dailyOutflow: { USDD: '1' } }, 'guards.dailyOutflow.USDD: the service has no asset USDD; did you'],
    ['a contact', { contacts: { 'c-cold-7': { daily: '1' } } }, 'guards.contacts.c-cold-7: the service has no contact'],
    ['values', { valuationAsset: 'EUR' }, 'guards.valuationAsset: the service has no asset EUR'],
  ])('if a guard of all bounds %s that does not exist: it would bound nothing', async (_what, guards, says) => {
    expect(await endOf(sweep({}), { guards })).toMatch(`FAILED ${says}`)
  })

  test('even in shadow mode, and if the policy came with the request', async () => {
    const policy = { kind: 'rebalance', weights: { A: '0.5', BB: '0.5' } }
    expect(await endOf(policy, { shadow: true })).toMatch('FAILED policies.mix.weights.BB: ')
    expect(await endOf(policy, { isInline: true })).toMatch('FAILED input.policy.weights.BB: ')
  })
})

test('many unknown names are counted, with the names in another spelling', async () => {
  const leaveAlone = ['a', 'b', 'usd', 'X1234', 'X2345', 'X3456']
  expect(await endOf({ kind: 'rebalance', weights: { A: '1' }, leaveAlone })).toMatch(
    /^FAILED policies\.mix\.leaveAlone\[0]: expected the settled code, A; got a; .*X2345; and 1 more$/,
  )
})

test.each([
  [
    'an asset that it names',
    { assets: 'A' },
    'FAILED policies.mix.weights.A: minimumWithdrawal of A is unreadable: 0E-8',
  ],
  ['a balance', { balances: 'A' }, 'FAILED policies.mix.weights.A: balance of A is unreadable: 0E-8'],
  ['a market between two', { markets: 'A-USD' }, 'FAILED policies.mix: minBaseAmount of A-USD is unreadable: 0E-8'],
  ['another asset', { assets: 'B', balances: 'B', markets: 'B-USD' }, /^SHADOWED/],
])('a figure in another notation refuses what needs it: %s', async (_, broken: Broken, end) => {
  const world = runWorld({
    mix: policySchema.parse({ kind: 'rebalance', weights: { A: '0.5', USD: '0.5' }, mode: 'shadow' }),
  })
  const { service } = world.ports
  const assets = async () =>
    (await service.assets()).map((each) =>
      each.assetSymbol === broken.assets ? { ...each, minimumWithdrawal: ODD } : each,
    )
  const markets = async () =>
    (await service.markets()).map((each) => (each.id === broken.markets ? { ...each, minBaseAmount: ODD } : each))
  const balances = async () =>
    (await service.balances()).map((each) => (each.assetSymbol === broken.balances ? { ...each, balance: ODD } : each))
  const ports = { ...world.ports, service: { ...service, assets, markets, balances } }
  const { outcome, why } = await planRebalance(
    { execution: 'run-1', startedAt: START, request: { policy: 'mix' } },
    ports,
  )
  expect(`${outcome} ${why}`).toMatch(end)
})

test.each<[string, Broken | 'unlisted', string]>([
  ['has an odd figure', { assets: 'B' }, 'minimumWithdrawal of B is unreadable: 0E-8'],
  ['has an odd balance', { balances: 'B' }, 'balance of B is unreadable: 0E-8'],
  ['is no longer listed', 'unlisted', 'the service lists no asset B'],
])('a sweep of everything names a held asset that it leaves because it %s', async (_, broken, reason) => {
  const rules = [
    { allBut: ['A', 'USD'], contactId: 'c-cold-1' },
    { allBut: ['A', 'USD'], contactId: 'c-desk-2' },
  ]
  const world = runWorld({ mix: policySchema.parse({ kind: 'sweep', rules }) })
  world.account.balances.B = '3'
  const { service } = world.ports
  const isOdd = (name: keyof Broken, symbol: string) => broken !== 'unlisted' && broken[name] === symbol
  const assets = async () =>
    (await service.assets())
      .filter(({ assetSymbol }) => broken !== 'unlisted' || assetSymbol !== 'B')
      .map((each) => (isOdd('assets', each.assetSymbol) ? { ...each, minimumWithdrawal: ODD } : each))
  const balances = async () =>
    (await service.balances()).map((each) => (isOdd('balances', each.assetSymbol) ? { ...each, balance: ODD } : each))
  const findContact = async (id: string) => CONTACTS.find((contact) => contact.id === id)
  const ports = { ...world.ports, service: { ...service, assets, balances, findContact } }
  const ended = await planSweep({ execution: 'run-1', startedAt: START, request: { policy: 'mix' } }, ports)
  expect(ended).toMatchObject({ outcome: 'NOTHING_TO_DO', why: reason })
  const { plan } = (await ports.runs.find('run-1')) ?? {}
  expect(plan?.nonLegs).toEqual([{ asset: 'B', code: 'no_facts', reason }])
})

test('a bound of a contact does not concern a run that only converts, and costs it no read', async () => {
  const policy = { kind: 'rebalance', weights: { A: '0', B: '0', USD: '1' }, hubs: ['USD'], mode: 'shadow' }
  const guards = { contacts: { gone: { daily: '1' } }, allowedContacts: ['gone'] }
  expect(await endOf(policy, { guards })).toMatch(/^SHADOWED/)
})
