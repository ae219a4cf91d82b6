// What a withdrawal that failed for good is told as: by what the ledger shows of it, and when.
import { describe, expect, test } from 'vitest'
import { timing as timingSchema } from '../../../../core/contract/timing.ts'
import type { WithdrawIntent } from '../../../../core/journal/intent.ts'
import type { Booking } from '../../../../core/movements/withdrawal/ports.ts'
import { reportWithdrawal } from '../../../../core/movements/withdrawal/report.ts'
import type { LedgerEntry } from '../../../../core/service/ledger.ts'
import type { ServiceClient } from '../../../../core/service/service-client.ts'
import { withdrawalReads } from '../../../../functions/runtime/withdrawal-ports.ts'
import { START_MS } from '../../../helpers/fake-conversion-service.ts'
import { fakeWithdrawalPorts, ROW } from '../../../helpers/fake-withdrawal-service.ts'

const FENCE_MS = START_MS + 165_000
const failed = { ...ROW, status: 'FAILED' }

async function reported(booking: Booking, atMs: number) {
  const { check, send, intent, ports, shared } = fakeWithdrawalPorts({
    ...{ booking, answer: { kind: 'accepted', withdrawal: failed } },
  })
  await check()
  await send()
  shared.fake.nowMs = atMs
  const done = await intent()
  if (done === undefined) throw new Error('no intent')
  return reportWithdrawal(done, ports.service, timingSchema.parse({}))
}

describe('a failed withdrawal', () => {
  test('of which nothing was ever booked is FAILED_REFUNDED past its fence: a service may book at completion', async () => {
    expect(await reported('none', FENCE_MS + 1)).toMatchObject({
      ...{ outcome: 'FAILED_REFUNDED', why: 'the withdrawal ended FAILED, and nothing was booked for it' },
    })
  })

  test('of which nothing is booked yet is still moving before its fence: an entry may not be visible', async () => {
    expect(await reported('none', FENCE_MS)).toMatchObject({ outcome: 'PROCESSING' })
  })

  test('that was debited is still moving until it came back, however late', async () => {
    expect(await reported('debited', FENCE_MS * 2)).toMatchObject({ outcome: 'PROCESSING' })
  })

  test('whose total came back is FAILED_REFUNDED at once', async () => {
    expect(await reported('refunded', START_MS)).toMatchObject({
      ...{ outcome: 'FAILED_REFUNDED', why: 'the withdrawal ended FAILED, and its total of 100 came back' },
    })
  })
})

test('of an intent that was lost nothing is booked any more once whatever it sent would show', async () => {
  const { ports, shared } = fakeWithdrawalPorts({ booking: 'none', rows: [failed] })
  const lost: WithdrawIntent = {
    ...{ intentId: 'lost', kind: 'withdraw', state: 'DONE', version: 2, attemptNumber: 1, ref: ROW.id, paramsHash: '' },
    ...{ params: { assetSymbol: 'USDC' }, frozen: { fenceSeconds: 600 } },
    ...{ createdAt: new Date(START_MS).toISOString(), notAfter: new Date(START_MS).toISOString() },
  }
  const report = () => reportWithdrawal(lost, ports.service, timingSchema.parse({}))
  shared.fake.nowMs = START_MS + 600_000
  expect(await report()).toMatchObject({ outcome: 'PROCESSING' })
  shared.fake.nowMs = START_MS + 600_001
  expect(await report()).toMatchObject({ outcome: 'FAILED_REFUNDED' })
})

describe('the booking of a withdrawal', () => {
  const entry = (type: string, amount: string) => ({ type, amount, source: { type: 'withdrawal', id: ROW.id } })
  const bookingOf = (entries: Partial<LedgerEntry>[]) => {
    const client = {
      async *walkLedger() {
        yield* entries
      },
    }
    return withdrawalReads(client as unknown as ServiceClient).bookingOf(ROW)
  }

  test.each<[Booking, Partial<LedgerEntry>[]]>([
    ['none', []],
    ['debited', [entry('debit', '100')]],
    ['debited', [entry('debit', '99'), entry('fee', '1')]],
    ['refunded', [entry('debit', '100'), entry('refund', '100.00')]],
  ])('is %s by the ledger’s entries: %o', async (booking, entries) => {
    expect(await bookingOf(entries)).toBe(booking)
  })
})
