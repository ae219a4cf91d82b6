// Which key may prove the result of an order, how a refused key is handled, and a service slower than our timeout.
import { describe, expect, test } from 'vitest'
import { quoteAnswer } from '../../../core/contract/convert.ts'
import { KeyFault } from '../../../core/errors.ts'
import type { SendAnswer } from '../../../core/service/ports.ts'
import { quote } from '../../../functions/quote/quote.ts'
import { enterOrder as order } from '../../helpers/entered.ts'
import { type FakeService, FILLED_ORDER, fakePorts, START_MS } from '../../helpers/fake-conversion-service.ts'
import { keySaid } from '../../helpers/fake-withdrawal-service.ts'

const startedAt = new Date(START_MS).toISOString()
const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' }
const LOST: SendAnswer = { kind: 'unproven', said: { code: 'no_answer', business: false, text: 'no answer came' } }
/** A time past the fence, also for an order whose answer never came. */
const PAST_FENCE_MS = START_MS + 80_001

/** A conversion whose order was sent, with the given answer. `look` enters Order again. */
async function sent(answer: SendAnswer, change: Partial<FakeService> = {}) {
  const ports = fakePorts({ answer, orders: [undefined], ...change })
  const { fake, journal } = ports
  const input = await quote({ execution: 'intent-1', startedAt, request }, ports)
  return {
    ...{ ports, fake, report: await order(input, ports), intent: () => journal.find('intent-1', 'convert') },
    look: (key: Partial<FakeService> = {}, atMs = PAST_FENCE_MS) => {
      Object.assign(fake, { nowMs: atMs, ...key })
      return order({ intentId: 'intent-1', outcome: 'UNCERTAIN', waits: 0 }, ports)
    },
  }
}

describe('the absence of an order', () => {
  test('is a certified zero with the key that signed, even if it may not read its account', async () => {
    const { look } = await sent(LOST, { account: undefined })
    expect(await look()).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 2 })
  })

  test('is a certified zero with a key that the service assigns to the same account', async () => {
    const { look } = await sent(LOST)
    expect(await look({ kid: 'svc_test_anotherkey00' })).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 2 })
  })
})

test('a key of another account opens no conversion in a journal that has an account', async () => {
  const { ports, fake } = await sent(LOST)
  Object.assign(fake, { kid: 'svc_test_anotherkey00', account: 'account-2' })
  await expect(quote({ execution: 'intent-2', startedAt, request }, ports)).rejects.toThrow(KeyFault)
  expect(await ports.journal.find('intent-2', 'convert')).toBeUndefined()
})

describe('an order whose key cannot sign', () => {
  const WHY = 'KMS key: it is disabled'
  const unsigned = async () => {
    const ports = fakePorts()
    const { prepareOrder } = ports.sender
    ports.sender.prepareOrder = async () => {
      throw new KeyFault(WHY)
    }
    const input = await quote({ execution: 'intent-1', startedAt, request }, ports)
    return { ports, input, repair: () => Object.assign(ports.sender, { prepareOrder }) }
  }

  test('waits a quarter of its age each time, and spends no attempt, however old its quote', async () => {
    const { ports, input } = await unsigned()
    expect(await order(input, ports)).toMatchObject({ outcome: 'HELD', why: WHY, attempts: 1, waitSeconds: 15 })
    ports.fake.nowMs = START_MS + 600_000
    const again = { ...input, quote: await freshQuote(ports) }
    expect(await order(again, ports)).toMatchObject({ outcome: 'HELD', why: WHY, attempts: 1, waitSeconds: 150 })
  })

  test('is placed once another key can sign', async () => {
    const { ports, input, repair } = await unsigned()
    const held = quoteAnswer.parse(await order(input, ports))
    repair()
    expect(await order(held, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 1 })
    expect(await order({ ...input, quote: await freshQuote(ports) }, ports)).toMatchObject({ outcome: 'FILLED' })
    expect(ports.fake.sentOrders).toHaveLength(1)
  })

  test('ends with its time, and names the reason for its wait', async () => {
    const { ports, input } = await unsigned()
    const held = quoteAnswer.parse(await order(input, ports))
    ports.fake.nowMs = START_MS + 900_000
    const report = await order(held, ports)
    expect(report).toMatchObject({ outcome: 'EXPIRED_OUT' })
    expect(report.why).toMatch(/^its time ran out at \S+; it waited: KMS key: it is disabled$/)
  })

  async function freshQuote(ports: ReturnType<typeof fakePorts>) {
    ports.fake.terms = { ...ports.fake.terms, expiresAt: new Date(ports.fake.nowMs + 5_000).toISOString() }
    return (await quote({ execution: 'intent-1', startedAt, request }, ports)).quote
  }
})

describe.each(['insufficient_scope', 'key_revoked', 'two_factor_required', 'ip_not_allowed'])(
  'an order refused with %s',
  (code) => {
    const refused: SendAnswer = { kind: 'unproven', said: keySaid(code) }

    test('is READY again past its fence, and waits for the right key', async () => {
      const { look, intent, fake } = await sent(refused)
      expect(await look()).toMatchObject({ outcome: 'HELD', waits: 1, why: `the service said ${code}` })
      expect(await intent()).toMatchObject({ state: 'READY', attemptNumber: 2 })
      expect(fake.keysForgotten).toBe(1)
    })

    test('is placed once with the right key, and otherwise ends by its own time', async () => {
      const { look, ports, fake } = await sent(refused)
      const held = quoteAnswer.parse(await look())
      expect(await order(held, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', why: 'its turn has come' })
      fake.nowMs = START_MS + 900_000
      expect(await order(held, ports)).toMatchObject({ outcome: 'EXPIRED_OUT' })
      expect(fake.sentOrders).toHaveLength(1)
    })
  },
)

test('an order that the service executes in 16 s is not placed twice, though our timeout is 15 s', async () => {
  const ports = fakePorts({ answer: LOST })
  const { fake } = ports
  const prepare = ports.sender.prepareOrder
  ports.sender.prepareOrder = async (...args) => {
    const prepared = await prepare(...args)
    const send = () => {
      fake.nowMs += 15_000
      return prepared.send()
    }
    return { ...prepared, send }
  }
  ports.service.findOrder = async () => (fake.nowMs > START_MS + 16_000 ? FILLED_ORDER : undefined)
  let report = await order(await quote({ execution: 'intent-1', startedAt, request }, ports), ports)
  expect(report).toMatchObject({ outcome: 'UNCERTAIN', until: '2026-01-01T00:01:20.000Z' })
  for (let waits = 0; report.outcome === 'UNCERTAIN' && waits < 20; waits += 1) {
    fake.nowMs += (report.waitSeconds ?? 0) * 1000
    report = await order(quoteAnswer.parse(report), ports)
  }
  expect(report).toMatchObject({ outcome: 'FILLED', attempts: 1 })
  expect(fake.sentOrders).toEqual(['order-1'])
})

test('an intent has its whole time even if the machine that starts it is a quarter of an hour behind', async () => {
  const ports = fakePorts()
  const behind = new Date(START_MS - 900_000).toISOString()
  const input = await quote({ execution: 'intent-1', startedAt: behind, request }, ports)
  expect((await ports.journal.find('intent-1', 'convert'))?.notAfter).toBe('2026-01-01T00:15:00.000Z')
  expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED' })
})
