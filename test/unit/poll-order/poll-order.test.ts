// An order is polled to its end or to the configured bound, and a person's word about it is kept.
import { expect, test } from 'vitest'
import { IntentLost, Transient } from '../../../core/errors.ts'
import { doneMove } from '../../../core/journal/moves.ts'
import { resolveIntent } from '../../../core/journal/resolution.ts'
import { waitAfter } from '../../../core/movements/polling.ts'
import { pollOrder } from '../../../functions/poll-order/poll-order.ts'
import { enterOrder as order } from '../../helpers/entered.ts'
import { type FakeService, FILLED_ORDER, fakePorts, START_MS } from '../../helpers/fake-conversion-service.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'

const RESOLUTION = { by: 'ada', because: 'found it', movementId: 'order-1', at: '2026-01-01T02:00:00Z' } as const
const MOVING = { ...FILLED_ORDER, status: 'NEW', filledBaseAmount: '0', filledQuoteAmount: '0' }

async function placed(change: Partial<FakeService>, timing = {}) {
  const ports = fakePorts(change, timing)
  const ready = await ports.journal.open({
    intentId: 'intent-1',
    ...CONVERSION,
    createdAt: '2026-01-01T00:00:00Z',
    notAfter: '2026-01-01T01:00:00Z',
  })
  const armedIntent = await ports.journal.advance(ready, armed(ready, 'order-1'))
  await ports.journal.claim('convert', 'order-1', 'intent-1')
  if (armedIntent) await ports.journal.advance(armedIntent, doneMove(armedIntent, 'order-1'))
  return ports
}

test('an order that fills while it is polled is reported with its fills', async () => {
  const ports = await placed({ orders: [MOVING, MOVING, undefined, FILLED_ORDER] })
  expect(await pollOrder({ intentId: 'intent-1' }, ports)).toMatchObject({
    outcome: 'FILLED',
    fills: [{ id: 'fill-1' }],
  })
  expect(ports.fake.nowMs - START_MS).toBe(200 + 400 + 800)
})

test('an order that keeps moving is left to a wait, and polled no longer than configured', async () => {
  const ports = await placed({ orders: [MOVING] }, { pollInsideSeconds: 5 })
  expect(await pollOrder({ intentId: 'intent-1', waits: 2 }, ports)).toMatchObject({
    outcome: 'PROCESSING',
    waits: 3,
    waitSeconds: 100,
  })
  expect(ports.fake.nowMs - START_MS).toBe(5_000)
})

test('an order that the service does not show for an hour is read again after each wait', async () => {
  const ports = await placed({ orders: [new Transient('no answer')] })
  expect(await pollOrder({ intentId: 'intent-1', waits: 30 }, ports)).toMatchObject({
    ...{ outcome: 'PROCESSING', orderId: 'order-1', waits: 31, waitSeconds: 120 },
    why: 'accepted, and could not be looked at: no answer',
  })
})

test('after the last wait the run ends STUCK, naming the order', async () => {
  const ports = await placed({ orders: [MOVING] }, { pollWaits: 3, pollInsideSeconds: 0 })
  expect(await pollOrder({ intentId: 'intent-1', waits: 3 }, ports)).toMatchObject({
    outcome: 'STUCK',
    orderId: 'order-1',
    why: 'the order is new, and no end came within 3 waits',
  })
})

test('waits double from the first to the longest', () => {
  const timing = { pollFirstWaitSeconds: 5, pollLongestWaitSeconds: 120 }
  expect([0, 1, 2, 3, 4, 5, 400].map((waits) => waitAfter(waits, timing))).toEqual([5, 10, 20, 40, 80, 120, 120])
})

test('an intent that is not in the journal is lost, and no movement is reported for it', async () => {
  await expect(pollOrder({ intentId: 'unknown' }, fakePorts())).rejects.toThrow(IntentLost)
})

test("a person's order for a lost intent is reported like any other, by either step", async () => {
  const ports = fakePorts({ orders: [FILLED_ORDER] })
  const request = { ...CONVERSION, frozen: {}, createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T01:00:00Z' }
  const end = { state: 'ESCALATED', outcome: 'NEEDS_ATTENTION', why: 'its record was lost' } as const
  await ports.journal.open({ intentId: 'intent-1', ...request }, end)
  await resolveIntent({ intentId: 'intent-1', kind: 'convert' }, RESOLUTION, async () => undefined, ports.journal)
  const filled = { outcome: 'FILLED', orderId: 'order-1' }
  expect(await pollOrder({ intentId: 'intent-1' }, ports)).toMatchObject(filled)
  expect(await order({ intentId: 'intent-1', outcome: '' }, ports)).toMatchObject(filled)
})

test('a record that was changed after its end is not reported, and the field is named', async () => {
  const ports = await placed({ orders: [FILLED_ORDER] })
  const done = await ports.journal.find('intent-1', 'convert')
  if (done) await ports.journal.advance(done, { frozen: { ...CONVERSION.frozen, amount: '0.2' } })
  await expect(pollOrder({ intentId: 'intent-1' }, ports)).rejects.toThrow(
    'its frozen.amount is not as it was asked for',
  )
})
