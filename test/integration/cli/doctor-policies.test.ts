// Tests the doctor's findings about contacts, assets, markets and policies that the service has or lacks.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { ask, service, useService } from './examined-service.ts'

useService()

const contactOf = (reference: string) => service.sandbox.contacts.find((each) => each.reference === reference)?.id

test('fitting contacts, assets and markets are shown with their minimums, fees and steps', async () => {
  const { checks, unwell } = await ask(
    ...['--asset', 'nvdax', '--market', 'NVDAX-USDC'],
    ...['--contact', `${contactOf('cold-usdc-polygon')}=USDC@POLYGON`],
    ...['--contact', `${contactOf('subsidiary')}=BTC`, '--contact', `${contactOf('house-bank-usd')}=USD`],
  )
  expect(unwell).toEqual(['warn signing', 'warn two-factor'])
  expect(checks.slice(-5).map(({ detail }) => detail)).toEqual([
    'NVDASPV (NVDAX), STOCK, in steps of 0.00000001',
    'NVDASPV-USDC, at least 0.01 NVDASPV in steps of 0.00000001, at least 5 USDC in steps of 0.000001',
    '"Cold storage USDC", USDC on POLYGON: fee 0.1, at least 1, and 1.1 where the fee is deducted',
    '"Subsidiary", INTERNAL: at least 0.00001 BTC, no fee',
    '"House bank USD", BANK_ACCOUNT: at least 10 USD, no fee',
  ])
})

test.each([
  ['--asset', () => 'A/B %?+', 'does not exist'],
  ['--market', () => 'BTC-XYZ', 'does not exist'],
  ['--contact', () => 'no/body %?+=USDC', 'does not exist'],
  ['--contact', () => `${contactOf('cold-usdc-polygon')}=BTC`, '"Cold storage USDC" is for USDC, not for BTC'],
  ['--contact', () => `${contactOf('cold-usdc-polygon')}=USDC@ETH`, '"Cold storage USDC" is on POLYGON, not on ETH'],
  ['--contact', () => `${contactOf('equity-vault')}=AAPLX`, 'AAPLX is not the settled code, which is AAPLSPV'],
])('%s that does not fit fails', async (option, value, detail) => {
  const { exitCode, checks } = await ask(option, value())
  expect(exitCode).toBe(1)
  expect(checks.at(-1)).toMatchObject({ status: 'fail', detail, next: expect.stringMatching(/./) })
})

function policiesFile(name: string, policies: unknown, guards: unknown = {}): string {
  const config = path.join(service.dir, `${name}.json`)
  const settings = { url: 'https://api.example.com', stage: 'test' }
  writeFileSync(config, JSON.stringify({ service: settings, guards, policies }))
  return config
}

test('policies whose assets, markets and contacts exist and fit are ok, one line each', async () => {
  const contactId = contactOf('cold-usdc-polygon')
  const config = policiesFile('fitting', {
    core: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' } },
    nightly: { kind: 'sweep', rules: [{ assets: ['ETH'], convertInto: 'USDC', contactId }] },
    pay: { kind: 'convert-and-withdraw', from: 'SOL', into: 'USDC', amount: '1', contactId },
    cash: { kind: 'fund', asset: 'USD', atLeast: '10', from: [{ asset: 'EUR' }], hubs: ['USDC'] },
  })
  const { exitCode, checks } = await ask('--config', config)
  expect(checks.filter(({ check }) => /^policy|^guards of/.test(check))).toEqual([
    { check: 'policy core', status: 'ok', detail: 'rebalance: 2 names, all there and fitting', next: null },
    { check: 'policy nightly', status: 'ok', detail: 'sweep: 3 names, all there and fitting', next: null },
    { check: 'policy pay', status: 'ok', detail: 'convert-and-withdraw: 3 names, all there and fitting', next: null },
    { check: 'policy cash', status: 'ok', detail: 'fund: 3 names, all there and fitting', next: null },
    { check: 'guards of all', status: 'ok', detail: 'guards: 1 name, all there and fitting', next: null },
  ])
  expect(exitCode).toBe(0)
})

test('names in policies that the service lacks, or that do not fit, fail with their place', async () => {
  const contactId = contactOf('cold-usdc-polygon')
  const rules = [
    { assets: ['BTC'], contactId },
    { assets: ['AAPLX'], contactId: 'no/body %?+' },
  ]
  const config = policiesFile(
    'mismatches',
    {
      core: { kind: 'rebalance', weights: { XYZ: '0.5', USDC: '0.5' }, leaveAlone: ['eth'] },
      nightly: { kind: 'sweep', rules },
      pay: { kind: 'convert-and-withdraw', from: 'SOL', into: 'BTC', contactId },
    },
    { allowedMarkets: ['btc-usdc', 'BTC-XYZ', 'SOL-BTC'] },
  )
  const { exitCode, checks } = await ask('--config', config)
  expect(checks.filter(({ status }) => status === 'fail').map(({ check, detail }) => `${check}: ${detail}`)).toEqual([
    'policy core: policies.core.weights.XYZ: there is no asset XYZ',
    'policy core: policies.core.leaveAlone[0]: eth is not the settled code, which is ETH',
    'policy nightly: policies.nightly.rules[1].assets[0]: AAPLX is not the settled code, which is AAPLSPV',
    'policy nightly: policies.nightly.rules[0].contactId: "Cold storage USDC" is for USDC, not for BTC',
    'policy nightly: policies.nightly.rules[1].contactId: there is no contact no/body %?+',
    'policy pay: policies.pay.contactId: "Cold storage USDC" is for USDC, not for BTC',
    'policy pay: policies.pay.into: no market turns SOL into BTC directly',
    'guards of all: guards.allowedMarkets[0]: btc-usdc is not the settled spelling, which is BTC-USDC',
    'guards of all: guards.allowedMarkets[1]: there is no market BTC-XYZ',
    'guards of all: guards.allowedMarkets[2]: there is no market SOL-BTC',
  ])
  expect(exitCode).toBe(1)
})

test('senseless guards are reported, even if all else passes', async () => {
  const config = path.join(service.dir, 'guards.json')
  const settings = { url: 'https://api.example.com', stage: 'test' }
  writeFileSync(config, JSON.stringify({ service: settings, timing: { pollWaits: 1 } }))
  expect(await ask('--config', config)).toMatchObject({ exitCode: 1, unwell: expect.arrayContaining(['fail guards']) })
})

test('a wrong configuration is exit 2', async () => {
  const config = path.join(service.dir, 'broken.json')
  writeFileSync(config, '{"service":{}}')
  const { exitCode, stdout, stderr } = await runInProcess(['setup', 'doctor', '--config', config, '--json'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(JSON.parse(stderr).error.code).toBe('configuration')
})
