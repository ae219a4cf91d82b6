// Tests the report of a withdrawal that failed for good, by the ledger and by the time.
import { describe, expect, test } from 'vitest'
import { findOtherRow } from '../../../../core/audit/judge-movement.ts'
import { timing as timingSchema } from '../../../../core/contract/timing.ts'
import type { WithdrawIntent } from '../../../../core/journal/intent.ts'
import { isNeverBooked } from '../../../../core/movements/withdrawal/back-by-balance.ts'
import {
  type BookedEntry,
  type Booking,
  bookingByComparison,
  bookingOf,
} from '../../../../core/movements/withdrawal/booking.ts'
import type { LedgerSight } from '../../../../core/movements/withdrawal/ports.ts'
import { reportWithdrawal } from '../../../../core/movements/withdrawal/report.ts'
import type { ServiceClient } from '../../../../core/service/service-client.ts'
import { withdrawalReads } from '../../../../functions/runtime/withdrawal-ports.ts'
import { START_MS } from '../../../helpers/fake-conversion-service.ts'
import { bookedNow, fakeWithdrawalPorts, ROW } from '../../../helpers/fake-withdrawal-service.ts'

const FENCE_MS = START_MS + 165_000
const failed = { ...ROW, status: 'FAILED' }

const entry = (type: string, amount: string | null): BookedEntry => ({ type, amount })

async function reported(
  ledger: readonly BookedEntry[],
  atMs: number,
  completedLedger?: readonly BookedEntry[],
  showsOthers = true,
) {
  const { check, send, intent, ports, shared } = fakeWithdrawalPorts({
    showsOthers,
    ...(completedLedger && { completedLedger }),
    ...{ ledger, answer: { kind: 'accepted', withdrawal: failed } },
  })
  await check()
  await send()
  shared.fake.nowMs = atMs
  const done = await intent()
  if (done === undefined) throw new Error('no intent')
  return reportWithdrawal(done, ports.service, timingSchema.parse({}))
}

describe('a failed withdrawal', () => {
  test('a failed withdrawal that was never booked is FAILED_REFUNDED past its fence, because a service may book at completion', async () => {
    expect(await reported([], FENCE_MS + 1)).toMatchObject({
      ...{ outcome: 'FAILED_REFUNDED', why: 'the withdrawal ended as failed, and nothing was booked for it' },
    })
  })

  test('a failed withdrawal that is not booked is still moving if the ledger shows nothing else either, because it may be behind', async () => {
    expect(await reported([], FENCE_MS + 1, undefined, false)).toMatchObject({ outcome: 'PROCESSING' })
  })

  test('a failed withdrawal whose debit shows again as soon as the ledger shows anything is still moving', async () => {
    const { check, send, intent, ports, shared, world } = fakeWithdrawalPorts({
      ...{ ledger: [], answer: { kind: 'accepted', withdrawal: failed } },
    })
    await check()
    await send()
    shared.fake.nowMs = FENCE_MS + 1
    async function* walkLedger() {
      world.ledger = [entry('debit', '100')]
      yield bookedNow(shared.fake.nowMs)
    }
    const done = (await intent()) as WithdrawIntent
    const report = await reportWithdrawal(done, { ...ports.service, walkLedger }, timingSchema.parse({}))
    expect(report).toMatchObject({
      outcome: 'PROCESSING',
      why: expect.stringContaining('its refund is not visible yet'),
    })
  })

  test('a failed withdrawal that is not booked yet is still moving before its fence, because an entry may not be visible', async () => {
    expect(await reported([], FENCE_MS)).toMatchObject({ outcome: 'PROCESSING' })
  })

  test('a failed withdrawal that was debited is still moving until it came back, however late', async () => {
    expect(await reported([entry('debit', '100')], FENCE_MS * 2)).toMatchObject({ outcome: 'PROCESSING' })
  })

  test('with both legs of its debit in the ledger is still moving, because nothing shows a refund', async () => {
    expect(await reported([entry('debit', '100'), entry('credit', '100')], FENCE_MS * 2)).toMatchObject({
      ...{ outcome: 'PROCESSING', why: expect.stringContaining('do not say that 100 came back') },
    })
  })

  test('a failed withdrawal that has more entries than a COMPLETED one is FAILED_REFUNDED once they add up to its total', async () => {
    const legs = [entry('debit', '100'), entry('credit', '100')]
    const single = [entry('debit', '100')]
    expect(await reported(legs, FENCE_MS + 1, single)).toMatchObject({ outcome: 'FAILED_REFUNDED' })
    expect(await reported(legs, FENCE_MS + 1, legs)).toMatchObject({ outcome: 'PROCESSING' })
    // One leg of that debit may not be visible yet.
    expect(await reported(legs, FENCE_MS, single)).toMatchObject({ outcome: 'PROCESSING' })
  })

  test('a failed withdrawal whose total came back in two entries is FAILED_REFUNDED', async () => {
    const back = [entry('refund', '99'), entry('refund', '1')]
    expect(await reported([entry('debit', '100'), ...back], START_MS)).toMatchObject({ outcome: 'FAILED_REFUNDED' })
  })

  test('a failed withdrawal whose total came back is FAILED_REFUNDED at once', async () => {
    expect(await reported([entry('debit', '100'), entry('refund', '100')], START_MS)).toMatchObject({
      ...{ outcome: 'FAILED_REFUNDED', why: 'the withdrawal ended as failed, and its total of 100 came back' },
    })
  })
})

test.each([
  ['deduct', { amount: '99', fee: '1' }, '100', 'COMPLETED'],
  ['add', { fee: '1', total: '101' }, '101', 'COMPLETED'],
  ['add', { fee: '1', total: '101' }, '100', 'NEEDS_ATTENTION'],
])(
  'with feeMode %s and a row of %o, beside a most of %s, it is %s, and the fee differs',
  async (feeMode, charged, most, outcome) => {
    const answer = { kind: 'accepted', withdrawal: { ...ROW, ...charged } } as const
    const { check, send, intent } = fakeWithdrawalPorts({ answer })
    await check({ feeMode, most })
    expect(await send()).toMatchObject({ outcome })
    const done = (await intent()) as WithdrawIntent
    expect(findOtherRow(answer.withdrawal, done)).toBe('its fee is 1, and 0 was shown right before its send')
  },
)

test('a withdrawal of a lost intent is no longer reported as booked once everything that the intent sent would show', async () => {
  const { ports, shared } = fakeWithdrawalPorts({ ledger: [], rows: [failed] })
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

describe('the booking of a withdrawal of 99 and a fee of 1', () => {
  const debit = entry('debit', '100')
  const parts = [entry('debit', '99'), entry('fee', '1')]
  const legs = [debit, entry('credit', '100')]

  test.each<[Booking, string, BookedEntry[]]>([
    ['none', 'no entry', []],
    ['debited', 'a debit', [debit]],
    ['debited', 'a part of a debit', [entry('debit', '99')]],
    ['debited', 'a debit in two entries', parts],
    ['debited', 'a debit in two entries of one type', [entry('debit', '99'), entry('debit', '1')]],
    ['refunded', 'a debit and a refund', [debit, entry('refund', '100.00')]],
    ['refunded', 'a debit and a refund in two entries', [debit, entry('refund', '99'), entry('refund', '1')]],
    ['refunded', 'a refund of the fee by its own name', [...parts, entry('refund', '99'), entry('fee_refund', '1')]],
    ['refunded', 'a refund of another name', [debit, entry('WITHDRAWAL_REVERSAL', '100')]],
    ['refunded', 'a source that is named as a refund', [debit, entry('credit withdrawal_return', '100')]],
    ['refunded', 'both legs of each', [...legs, entry('refund_debit', '100'), entry('refund_credit', '100')]],
    ['refunded', 'both legs of each under one name', [...legs, entry('refund', '100'), entry('refund', '100')]],
    [
      'refunded',
      'a source and a type that are both named as a refund',
      [debit, entry('REFUND withdrawal_refund', '100')],
    ],
    [
      'unclear',
      'two entries that may be the legs of half of it',
      [debit, entry('refund', '50'), entry('refund', '50')],
    ],
    [
      'unclear',
      'both legs of a refund of the fee, which was half of it',
      [debit, entry('fee_refund_debit', '50'), entry('fee_refund_credit', '50')],
    ],
    ['unclear', 'a refund that was taken back', [debit, entry('refund', '100'), entry('refund_reversed', '100')]],
    ['unclear', 'a refund whose reversal has its own type', [debit, entry('refund', '100'), entry('REVERSAL', '100')]],
    ['unclear', 'a refund that was cancelled', [...legs, entry('refund', '100'), entry('refund_cancelled', '100')]],
    [
      'unclear',
      'a refund, and a reversal of it, beside both legs',
      [...legs, entry('refund', '100'), entry('reversal', '100')],
    ],
    ['unclear', 'a debit that was taken again', [debit, entry('refund', '100'), debit]],
    [
      'unclear',
      'a debit that was taken again by another name',
      [debit, entry('refund', '100'), entry('correction', '100')],
    ],
    ['unclear', 'fewer legs of the refund than of the debit', [...legs, entry('refund', '100')]],
    [
      'unclear',
      'a half in two legs, one of them in parts',
      [debit, ...['50', '20', '30'].map((part) => entry('refund', part))],
    ],
    ['unclear', 'a refund without its debit', [entry('refund', '100')]],
    [
      'unclear',
      'a refund beside an amount that cannot be read',
      [debit, entry('refund', '100'), entry('refund', null)],
    ],
    ['unclear', 'a refund beside an entry without a source', [debit, entry('refund', '100'), entry('refund ', null)]],
    ['unclear', 'both legs of a debit', legs],
    ['unclear', 'two entries of one name', [debit, debit]],
    ['unclear', 'a refund without the fee', [debit, entry('refund', '99')]],
    ['unclear', 'an amount that cannot be read', [entry('debit', null)]],
  ])('is %s by %s', (booking, _what, entries) => {
    expect(bookingOf(entries, '100')).toBe(booking)
  })

  describe('beside a COMPLETED one', () => {
    const row = { amount: '99', fee: '1', total: '100' }
    const completed = { amount: '49', fee: '2', total: '51' }
    const ofCompleted = [entry('debit', '51'), entry('credit', '51')]
    const single = [entry('debit', '51')]

    test.each<[Booking, string, BookedEntry[], BookedEntry[]]>([
      ['debited', 'both legs of a debit', legs, ofCompleted],
      ['refunded', 'both legs of a debit, and of a refund of the same names', [...legs, ...legs], ofCompleted],
      ['refunded', 'a debit, and a refund that is named as a leg', legs, single],
      ['refunded', 'a refund of amount and fee', [debit, entry('credit', '99'), entry('credit', '1')], single],
      ['unclear', 'a refund without the fee', [debit, entry('credit', '99')], single],
      [
        'unclear',
        'a refund that was taken back',
        [debit, entry('refund', '100'), entry('refund_reversed', '100')],
        single,
      ],
      ['refunded', 'a refund of one leg', [...legs, entry('refund', '100')], ofCompleted],
      ['unclear', 'a release that was taken back', [debit, entry('credit', '100'), debit], single],
      [
        'unclear',
        'a refund that was taken back by another name',
        [...legs, entry('refund', '100'), entry('correction', '100')],
        ofCompleted,
      ],
      [
        'unclear',
        'a half of which it shows both legs',
        [...legs, entry('credit', '50'), entry('debit', '50')],
        ofCompleted,
      ],
      ['unclear', 'less than all of the debit', [debit, entry('release', '100')], ofCompleted],
      ['unclear', 'more than the ledger shows of it', legs, []],
      ['unclear', 'an amount that cannot be read', [debit, entry('credit', null)], single],
    ])('is %s by %s', (booking, _what, entries, entriesOfCompleted) => {
      expect(bookingByComparison({ row, entries }, { row: completed, entries: entriesOfCompleted })).toBe(booking)
    })

    test('it is older and of its sub-type, and has a fee if the failed one has a fee', async () => {
      const createdAt = '2025-12-31T00:00:00Z'
      const like = { ...ROW, id: 'like', fee: '1', createdAt }
      const rows = [{ ...like, id: 'later', createdAt: ROW.createdAt }, like, { ...like, id: 'other', fee: '0' }, ROW]
      const asked: unknown[] = []
      const client = {
        async *walkWithdrawals(filter: unknown) {
          asked.push(filter)
          yield* rows
        },
      }
      const { findCompletedLike } = withdrawalReads(client as unknown as ServiceClient)
      expect(await findCompletedLike(failed, 'USDC')).toMatchObject({ id: 'other' })
      expect(await findCompletedLike({ ...failed, fee: '0.1' }, 'USDC')).toMatchObject({ id: 'like' })
      expect(asked).toContainEqual({ assetSymbol: 'USDC', subType: 'INTERNAL', status: 'COMPLETED' })
    })
  })

  describe('is decided by the entries of its id', () => {
    const from = (source: string, id = ROW.id) => ({ type: 'T', amount: '1', source: { type: source, id } })
    const reads = (...entries: object[]) =>
      withdrawalReads({
        async *walkLedger() {
          yield* entries
        },
      } as unknown as ServiceClient)

    test('of a withdrawal, and of a possible withdrawal: a fill may have the same id', async () => {
      const sourceless = { ...from(''), source: null }
      const { ledgerOf } = reads(...['withdrawal', 'fill', 'movement'].map((source) => from(source)), sourceless)
      expect(await ledgerOf(ROW)).toEqual([entry('T withdrawal', '1'), entry('T movement', '1'), entry('T ', null)])
    })

    test('alone, if the ledger also shows those of another withdrawal', async () => {
      const another = from('withdrawal', 'another')
      expect(await reads(from('withdrawal'), another).ledgerOf(ROW)).toEqual([entry('T withdrawal', '1')])
    })
  })
})

describe('a failed withdrawal without an entry was never booked', () => {
  const timing = timingSchema.parse({})
  const seen = (id: string, bookedMs: number | null) => ({
    source: { type: 'withdrawal', id },
    createdAt: bookedMs === null ? null : new Date(bookedMs).toISOString(),
  })
  const another = (ms: number | null) => seen('another', ms)
  const isNever = (ledger: readonly LedgerSight[], row: { id: string; createdAt: string } = ROW) =>
    isNeverBooked(row, FENCE_MS, timing, {
      async *walkLedger() {
        yield* ledger
      },
    })

  test('if the ledger shows a booking later than any debit of it', async () => {
    expect(await isNever([another(FENCE_MS + 1)])).toBe(true)
  })

  test.each<[string, LedgerSight[]]>([
    ['nothing', []],
    ['only earlier bookings', [another(FENCE_MS), another(START_MS)]],
    ['an entry of it, which a filter did not find', [another(FENCE_MS + 1), seen(ROW.id, START_MS)]],
    ['later entries whose source or time it does not say', [{ ...another(FENCE_MS + 1), source: null }, another(null)]],
  ])('and not if the ledger shows %s', async (_what, ledger) => {
    expect(await isNever(ledger)).toBe(false)
  })

  test('and not if the later booking has the clock of a zone that is ahead, in which the row is dated too', async () => {
    const ahead = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString()
    const row = { id: ROW.id, createdAt: ahead(START_MS) }
    const booked = (ms: number) => ({ ...another(0), createdAt: ahead(ms) })
    expect(await isNever([booked(START_MS + timing.visibilitySeconds * 1000)], row)).toBe(false)
    expect(await isNever([booked(START_MS + timing.visibilitySeconds * 1000 + 1)], row)).toBe(true)
  })

  test('by a ledger that is no longer read after five hundred entries from before its row', async () => {
    let walked = 0
    async function* walkLedger() {
      for (let nth = 0; nth < 2_000; nth += 1) {
        walked += 1
        yield another(nth === 0 ? FENCE_MS + 1 : START_MS - nth)
      }
    }
    expect(await isNeverBooked(ROW, FENCE_MS, timing, { walkLedger })).toBe(true)
    expect(walked).toBe(501)
  })
})
