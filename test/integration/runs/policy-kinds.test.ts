// Tests every kind of policy, planned and carried out against the sandbox by the product's own planners and steps. The
// sandbox's books are the witness: each movement happens once, everything adds up, and another plan has nothing to do.

import { describe, expect, test } from 'vitest'
import { legFactsOf } from '../../../views/runs/leg-facts.ts'
import { createRunner } from './runner.ts'
import { useSandbox } from './sandbox.ts'

const service = useSandbox()
const { control, contactId, movements } = service
const passTime = () => control('/clock', { advanceMs: 6_000 })

const POLICIES = {
  rebalance: () => ({
    ...{ kind: 'rebalance', weights: { BTC: '0.4', ETH: '0.2', NVDASPV: '0.1', USD: '0.3' } },
    ...{ band: { of: 'absolute', bps: 200 }, hubs: ['USD'] },
  }),
  fund: () => ({
    kind: 'fund',
    asset: 'CHF',
    atLeast: '1000',
    target: '1200',
    from: [{ asset: 'EUR' }],
    hubs: ['USD'],
  }),
  arrival: () => ({
    kind: 'convert-on-arrival',
    asset: 'USDT',
    into: 'USD',
    keep: { target: '1000', trigger: '2000' },
    hubs: ['USDC'],
  }),
  sweep: () => ({
    kind: 'sweep',
    rules: [
      { assets: ['SOL'], keep: { target: '100' }, convertInto: 'USDC', contactId: contactId('cold-usdc-polygon') },
      { assets: ['EUR'], keep: { target: '70000' }, contactId: contactId('house-bank-eur'), canary: true },
    ],
  }),
  payout: () => ({
    kind: 'convert-and-withdraw',
    from: 'ETH',
    into: 'USD',
    amount: '2',
    contactId: contactId('house-bank-usd'),
  }),
}

describe.each([
  ['rebalance', 'rebalance'],
  ['rebalance', 'fund'],
  ['rebalance', 'arrival'],
  ['sweep', 'sweep'],
  ['sweep', 'payout'],
] as const)('on the %s machine, a policy %s', (machine, name) => {
  test('settles and reports every movement, once', async () => {
    const { run } = createRunner(service.client, { [name]: POLICIES[name]() }, passTime)
    const report = await run(machine, 'run-1', { policy: name })
    expect(report).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
    const told = report.legs.map((leg) => {
      const { conversion, withdrawal } = leg as {
        conversion?: { orderId: string }
        withdrawal?: { withdrawalId: string }
      }
      return conversion?.orderId ?? withdrawal?.withdrawalId
    })
    expect((await movements()).sort()).toEqual(told.sort())

    if (name === 'payout') return
    expect(await run(machine, 'run-2', { policy: name })).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    // Entered again after its end, it reports the same and moves nothing.
    expect(await run(machine, 'run-1', { policy: name }, 2)).toMatchObject({ outcome: 'SETTLED' })
    expect(await movements()).toHaveLength(told.length)
  })

  test('a run in shadow mode reports its plan and moves nothing', async () => {
    const { run } = createRunner(service.client, { [name]: POLICIES[name]() }, passTime)
    const report = await run(machine, 'run-1', { policy: name, shadow: true })
    expect(report).toMatchObject({ outcome: 'SHADOWED', legs: [] })
    expect('plan' in report && report.plan?.legs.length).toBeGreaterThan(0)
    expect(await movements()).toEqual([])
  })
})

test('a spent budget leaves nothing to do, and the report names the guard', async () => {
  const guards = { assets: { SOL: { daily: '0' } } }
  const rules = [{ assets: ['SOL'], contactId: contactId('subsidiary') }]
  const { run } = createRunner(service.client, { sweep: { kind: 'sweep', rules } }, passTime, guards)
  expect(await run('sweep', 'run-1', { policy: 'sweep' })).toMatchObject({ outcome: 'GUARDED', legs: [] })
  expect(await movements()).toEqual([])
})

test('a contact that was renamed with the bearer secret alone is planned with the labels of its last payment', async () => {
  const bank = contactId('house-bank-eur')
  const rules = [{ assets: ['EUR'], keep: { target: '70000' }, contactId: bank }]
  const { run } = createRunner(service.client, { sweep: { kind: 'sweep', rules } }, passTime)
  const payeeOf = async (runId: string) => {
    const report = await run('sweep', runId, { policy: 'sweep', shadow: true })
    const legs = 'plan' in report ? legFactsOf({ ...report, legs: [] }) : []
    return legs.map(({ what }) => what).join()
  }
  expect(await payeeOf('before')).not.toContain('renamed')
  expect(await run('sweep', 'paid', { policy: 'sweep' })).toMatchObject({ outcome: 'SETTLED' })
  await service.client.renameContact(bank, { alias: 'Our landlord', reference: 'landlord' })
  await control('/balance', { assetSymbol: 'EUR', balance: '90000' })
  expect(await payeeOf('after')).toMatch(
    /^send \S+ EUR to "Our landlord" \(reference landlord, .*renamed since it was last paid, as ".+", reference house-bank-eur, id /,
  )
})
