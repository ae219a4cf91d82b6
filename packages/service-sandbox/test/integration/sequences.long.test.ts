// Sends random sequences of valid and invalid requests to the service itself, without sockets. The books balance after
// each request, a refusal moves nothing, and exactly the quoted amounts move.
import { createHash, createPrivateKey, sign } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../../../test/helpers/cases.ts'
import type { Circumstances } from '../../service/exchange.ts'
import { PROFILES } from '../../service/profiles.ts'
import { type Reply, Service } from '../../service/service.ts'
import { NOBODY, World } from '../../service/world.ts'
import { inUnits, ofUnits } from '../units.ts'

/** Some 3,500 requests. The run's seed draws them, so each run has different ones. */
const RUNS = cases(45)
const MOST_STEPS = 200

const market = fc.constantFrom(
  'BTC-USDC',
  'ETH-USDC',
  'NVDAX-USD',
  'spyx-usdc',
  'EUR-USD',
  'GBP-USD',
  'XLM-USD',
  'NO-PE',
)
const amount = fc.oneof(
  fc
    .tuple(fc.nat(200_000), fc.nat(999_999_999))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(9, '0')}`),
  fc.nat(1_000).map((thousandths) => `0.${String(thousandths).padStart(3, '0')}`),
  fc.constantFrom('0', '-1', '1e5', '999999999999999999999999999999', '0.000000000000000001', 5, null),
)
const circumstances: fc.Arbitrary<Circumstances> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ expireQuote: true }) },
  {
    weight: 3,
    arbitrary: fc.record({
      settleLater: fc.record({
        afterMs: fc.nat(3_000),
        outcome: fc.constantFrom('fill', 'fail', 'partial'),
        reserve: fc.boolean(),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      failLater: fc.record({ afterMs: fc.integer({ min: 1, max: 4_000 }), refund: fc.boolean() }),
    }),
  },
)

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('convert' as const),
      market,
      amount,
      buys: fc.boolean(),
      ofBase: fc.boolean(),
      rebased: fc.boolean(),
      circumstances,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), nth: fc.nat(50), circumstances }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('withdraw' as const),
      assetSymbol: fc.constantFrom('USDC', 'USD', 'BTC', 'AAPLSPV', 'AAPLX', 'usdt'),
      amount,
      feeMode: fc.constantFrom('deduct', 'add', undefined),
      contact: fc.nat(10),
      circumstances,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(6_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('deposit' as const),
      asset: fc.constantFrom('GBP', 'USDC', 'NVDASPV'),
      units: fc.nat(10 ** 6),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      asset: fc.constantFrom('NVDASPV', 'SPYSPV'),
      percent: fc.integer({ min: 1, max: 500 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      target: fc.constantFrom(
        '/v2/orders',
        '/v2/fills?limit=3',
        '/v2/balances',
        '/v2/ledger?page=2',
        '/v2/withdrawals?x=1',
        '/v2/nope',
        '/v2/balances/usd/history',
      ),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

test('thousands of random requests keep the books balanced', () => {
  let requests = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: MOST_STEPS, size: 'max' }), (steps) => {
      const run = new Run()
      for (const step of steps) run.take(step)
      requests += run.requests
      expect(run.world.ledger.audit()).toEqual([])
    }),
    { numRuns: RUNS },
  )
  expect(requests).toBeGreaterThanOrEqual(2_000)
})

class Run {
  requests = 0
  readonly defects: unknown[] = []
  readonly placed: string[] = []
  nowMs = 1_800_000_000_000
  readonly world = new World(
    { seed: 'sluice', openedAtMs: this.nowMs },
    { nowMs: () => this.nowMs },
    PROFILES.prompt.pace,
    NOBODY,
  )
  readonly service = new Service(this.world, (error) => this.defects.push(error))

  constructor() {
    this.world.commit({ kind: 'capacity.set', assetSymbol: 'GBP', total: ofUnits(5_000n * 10n ** 18n) })
  }

  take(step: Step): void {
    this.world.settleDue(this.nowMs)
    const before = this.positions()
    const reply = this.perform(step)
    if (reply !== undefined) {
      this.requests += 1
      expect(this.defects).toEqual([])
      expect(reply.status, reply.body).toBeLessThan(500)
      // A refused request moves nothing.
      if (reply.status >= 400) expect(this.positions()).toEqual(before)
    }
    expect(this.world.ledger.violations()).toEqual([])
  }

  perform(step: Step): Reply | undefined {
    if (step.do === 'convert') return this.convert(step)
    if (step.do === 'again')
      return this.order(this.placed[step.nth % Math.max(1, this.placed.length)] ?? 'none', step.circumstances)
    if (step.do === 'withdraw') return this.withdraw(step)
    if (step.do === 'read') return this.ask('GET', step.target)
    if (step.do === 'wait') this.nowMs += step.ms
    if (step.do === 'deposit') {
      const multiplier = this.world.multiplier(step.asset)
      const deposited = ofUnits(BigInt(step.units + 1) * 10n ** 16n)
      const deposit = {
        id: this.world.newId('deposit'),
        assetSymbol: step.asset,
        amount: deposited,
        multiplier,
        createdAtMs: this.nowMs,
      }
      this.world.commit({ kind: 'deposit.credited', deposit })
    }
    if (step.do === 'act') {
      this.world.commit({
        kind: 'multiplier.set',
        assetSymbol: step.asset,
        multiplier: ofUnits(BigInt(step.percent) * 10n ** 16n),
      })
    }
    return undefined
  }

  convert({ market, amount, buys, ofBase, rebased, circumstances }: Extract<Step, { do: 'convert' }>): Reply {
    const [baseAsset = '', quoteAsset = ''] = market.split('-')
    const side = buys ? 'BUY' : 'SELL'
    const assetFormat = rebased ? 'rebased' : 'base'
    const body = { baseAsset, quoteAsset, side, amount, assetFormat, amountAsset: ofBase ? baseAsset : quoteAsset }
    const quoted = this.ask('POST', '/v2/quotes', body, circumstances)
    if (quoted.status !== 201) return quoted
    this.requests += 1
    const quote = JSON.parse(quoted.body)
    const [base, counter] = quote.market.split('-')
    const before = this.positions()
    const reply = this.order(quote.orderId, circumstances)
    if (reply.status === 201) {
      this.placed.push(quote.orderId)
      const sign = buys ? 1n : -1n
      expect(this.changeOf(base, before)).toBe(sign * units(quote.base.baseAmount))
      expect(this.changeOf(counter, before)).toBe(-sign * units(quote.base.quoteAmount))
    }
    return reply
  }

  withdraw({ assetSymbol, amount, feeMode, contact, circumstances }: Extract<Step, { do: 'withdraw' }>): Reply {
    const before = this.positions()
    const contactId = [...this.world.contacts.keys()][contact]
    const reply = this.ask('POST', '/v2/withdrawals', { assetSymbol, amount, feeMode, contactId }, circumstances)
    if (reply.status === 201) {
      const { base, subType } = JSON.parse(reply.body)
      expect(units(base.amount) + units(base.fee)).toBe(units(base.total))
      expect(this.changeOf(base.asset, before)).toBe(-units(base.total))
      if (subType !== 'EXTERNAL_CRYPTO') expect(base.fee).toBe('0')
    }
    return reply
  }

  order(orderId: string, circumstances: Circumstances): Reply {
    return this.ask('POST', '/v2/orders', { orderId }, circumstances)
  }

  ask(method: string, target: string, body?: object, circumstances: Circumstances = {}): Reply {
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const signs = target === '/v2/orders' || target === '/v2/withdrawals'
    const headers =
      signs && method === 'POST' ? this.signed(method, target, bytes) : { authorization: `Bearer ${key.secret}` }
    return this.service.answer({ method, target, headers, remoteAddress: '127.0.0.1', body: bytes }, circumstances)
  }

  signed(method: string, target: string, body: Buffer): Record<string, string> {
    const iat = Math.floor(this.nowMs / 1000)
    const claims = {
      sub: key.prefix,
      uri: `${method} ${target}`,
      nonce: String(this.requests) + String(this.world.factsApplied),
      iat,
      exp: iat + 30,
      bodyHash: createHash('sha256').update(body).digest('hex'),
    }
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${encode({ alg: 'EdDSA' })}.${encode(claims)}`
    const signature = sign(null, Buffer.from(signed), privateKey).toString('base64url')
    return { authorization: `Bearer ${signed}.${signature}`, 'x-api-key': key.prefix }
  }

  /** Returns the available plus the frozen amount of each asset. */
  positions(): Record<string, bigint> {
    const symbols = ['BTC', 'ETH', 'USDC', 'USDT', 'USD', 'EUR', 'GBP', 'XLM', 'NVDASPV', 'SPYSPV', 'AAPLSPV']
    return Object.fromEntries(symbols.map((symbol) => [symbol, this.balanceOf(symbol)]))
  }

  balanceOf(symbol: string): bigint {
    const { available, frozen } = this.world.ledger.position(symbol)
    return inUnits(available) + inUnits(frozen)
  }

  changeOf(symbol: string, before: Record<string, bigint>): bigint {
    return this.balanceOf(symbol) - (before[symbol] ?? 0n)
  }
}

const { full: key } = new Run().world.keys.issued()
const privateKey = createPrivateKey(key.privateKeyPem)

function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}
