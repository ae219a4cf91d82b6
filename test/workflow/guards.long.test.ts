// Guards in the bundles themselves. They are read from the deployed treasury file and compared with the sandbox's
// prices and assets, with budgets in the journal's table.
import { describe, expect, test } from 'vitest'
import { useMachines } from './machines.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '500' }
const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const FUND = { kind: 'fund', asset: 'BTC', atLeast: '1', from: [{ asset: 'USDC' }] }

/** An hour in UTC, today or on another day, because an intent lives for a quarter of an hour. */
function hourFromNow(hours: number): string {
  return `${String((new Date().getUTCHours() + 24 + hours) % 24).padStart(2, '0')}:00`
}

const treasury = {
  service: { url: 'https://api.example.com', stage: 'test' },
  timing: { pollInsideSeconds: 0 },
  guards: {
    dailyOutflow: { USDC: '350' },
    assets: { ETH: { largest: '0.5' }, USDC: { daily: '1600' } },
    total: { largest: '5000' },
    allowedMarkets: ['BTC-USDC', 'ETH-USD', 'BTC-EUR', 'AAPLSPV-USD'],
  },
  policies: {
    small: { ...FUND, guards: { total: { daily: '150' } } },
    asleep: { ...FUND, guards: { quietHours: [{ from: hourFromNow(-1), to: hourFromNow(-3) }] } },
    strict: { ...FUND, guards: { allowedContacts: ['nobody'] } },
  },
}

const machine = useMachines({ treasury })

const movedSince = async (before: number) => (await machine.movements()).length - before

describe('a movement that a guard refuses ends REJECTED, names the guard, and moves nothing', () => {
  test.each<[string, object, string]>([
    [
      'largest-of-an-asset',
      { ...BUY, baseAsset: 'eth', quoteAsset: 'usd', side: 'SELL', amountAsset: 'eth', amount: '0.6' },
      'guards.assets.ETH.largest is 0.5 ETH, and this is 0.6',
    ],
    [
      'value-through-a-direct-market',
      { ...BUY, quoteAsset: 'EUR', side: 'SELL', amountAsset: 'BTC', amount: '0.3' },
      'guards.total.largest is 5000 USD, and this is',
    ],
    [
      'value-of-an-equity-by-its-other-spelling',
      { ...BUY, baseAsset: 'AAPLX', quoteAsset: 'USD', side: 'SELL', amountAsset: 'AAPLX', amount: '60' },
      'guards.total.largest is 5000 USD, and this is',
    ],
    ['market-on-no-list', { ...BUY, baseAsset: 'ETH' }, 'guards.allowedMarkets does not name ETH-USDC'],
    ['policy-that-nobody-wrote', { ...BUY, policy: 'nightly' }, 'input.policy: treasury.json has no policy nightly'],
    ['run-that-nobody-began', { ...BUY, policy: 'small', run: 'run-1' }, 'input.run: no run has this id'],
    [
      'value-a-day-of-a-policy',
      { ...BUY, policy: 'small' },
      'policies.small.guards.total: 150 USD a day leaves 150, and this needs',
    ],
  ])('%s', async (name, input, why) => {
    const before = (await machine.movements()).length
    const { status, report } = await machine.run(name, input)
    expect(status).toBe('SUCCEEDED')
    expect(report).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining(why) })
    expect(await movedSince(before)).toBe(0)
  })

  test('a contact on no list', async () => {
    const { report } = await machine.withdraw('contact', { ...SEND, policy: 'strict' })
    expect(report).toMatchObject({
      outcome: 'REJECTED',
      why: expect.stringContaining('policies.strict.guards.allowedContacts does not name'),
    })
  })
})

test('in quiet hours a movement waits, and ends without a send when its time is over', async () => {
  const before = (await machine.movements()).length
  // The runs follow one another, because the waits of one run would make the other run's quote too old.
  const bought = await machine.run('quiet-buy', { ...BUY, policy: 'asleep' })
  const sent = await machine.withdraw('quiet-send', { ...SEND, policy: 'asleep' })
  expect(machine.statesOf('quiet-buy')).toContain('WaitForTurn')
  expect(bought.report).toMatchObject({ outcome: 'EXPIRED_OUT' })
  expect(sent.report).toMatchObject({ outcome: 'EXHAUSTED' })
  expect(await movedSince(before)).toBe(0)
})

test('a day’s budgets count conversions and withdrawals, and the outflow withdrawals alone', async () => {
  const outcomeOf = async (run: Promise<{ report: { outcome: string; why?: string | undefined } }>) => {
    const { outcome, why } = (await run).report
    return [outcome, why]
  }
  expect(await outcomeOf(machine.run('day-1', BUY))).toEqual(['FILLED', undefined])
  expect(await outcomeOf(machine.run('day-2', BUY))).toEqual(['FILLED', undefined])
  for (const name of ['day-3', 'day-4', 'day-5'])
    expect(await outcomeOf(machine.withdraw(name, SEND))).toEqual(['COMPLETED', undefined])
  expect(await outcomeOf(machine.withdraw('day-6', SEND))).toEqual([
    'REJECTED',
    'guards.dailyOutflow.USDC: 350 USDC a day leaves 50, and this needs 100',
  ])
  expect(await outcomeOf(machine.run('day-7', BUY))).toEqual([
    'REJECTED',
    'guards.assets.USDC: 1600 USDC a day leaves 300, and this needs 500',
  ])
})
