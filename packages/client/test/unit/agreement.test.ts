// Compares the client with the product: both accept the same requests, and know the same ends, policies and results.

import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as contract from '../../../../core/contract/convert.ts'
import { ConvertEnd, WithdrawEnd } from '../../../../core/contract/outcomes.ts'
import { partitionOf as partitionOfSluice } from '../../../../core/contract/partition.ts'
import { type PayoutRow as ProductRow, payoutRows } from '../../../../core/contract/payouts.ts'
import { type Policy, PolicyKind } from '../../../../core/contract/policies.ts'
import { RunEnd, type RunSummary } from '../../../../core/contract/runs.ts'
import * as withdrawals from '../../../../core/contract/withdraw.ts'
import { machineOf } from '../../../../core/policies/kinds.ts'
import { partitionOf } from '../../client.ts'
import type {
  ConvertReport,
  ConvertRequest,
  PayoutRow,
  RunReport,
  WithdrawReport,
  WithdrawRequest,
} from '../../index.ts'
import { checkedRows, convertInput, MACHINE_OF_KIND, MOST_ROWS, rowsFor, withdrawInput } from '../../requests.ts'
import { CONVERSION_ENDS, RUN_ENDS, WITHDRAWAL_ENDS } from '../../results.ts'

const conversion = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const withdrawal = { assetSymbol: 'USDC', amount: '98.5', contactId: 'contact-1' }

/** Values for any field, most of them near the edge of what is right. */
const values = [
  ...['0', '0.0', '00', '1', '1.5', '1.', '.5', '-1', '+1', '1e9', '1,5', ' 1', '1\n', '١', `1${'0'.repeat(29)}`],
  ...[`1${'0'.repeat(30)}`, `0.${'0'.repeat(17)}1`, `0.${'0'.repeat(18)}1`, 'BUY', 'SELL', 'buy', 'deduct', 'add'],
  ...['BTC', 'btc', 'USDC', 'a'.repeat(32), 'a'.repeat(33), 'B TC', '', 'constructor', 'toString', '__proto__'],
  ...['2026-01-31T09:00:00Z', '2026-01-31T09:00:00', '2026-02-30T09:00:00Z', '2024-02-29T09:00:00+05:30', '2026-01-31'],
  ...['2026-01-31T24:00:00Z', '2026-01-31T09:00Z', '2026-01-31t09:00:00z', '2026-01-31T09:00:00.123456789Z'],
  ...[`2026-01-31T09:00:00.${'1'.repeat(30)}Z`, '2026-01-31T09:00:00+0530', '2026-01-31T09:00:60Z'],
  ...['to-cold', 'To-cold', '-cold', 'x'.repeat(48), 'x'.repeat(49), 'x'.repeat(256), 'x'.repeat(257), 'line\nbreak'],
  ...[0, 1, 9999, 10000, 0.5, -1, Number.NaN, null, true, [], {}, ['BTC'], undefined],
]
const fieldsOf = (fields: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...fields, 'run', 'requestId', 'other'), fc.constantFrom(...values), { maxKeys: 2 })

/** Fields that only Sluice sets are no fields of a request. */
const isOfSluice = (request: object) => 'run' in request || 'requestId' in request

const accepts = (check: () => unknown): boolean => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

test('the client accepts exactly the conversions that the product accepts', () => {
  const fields = [
    ...Object.keys(conversion),
    'worstRate',
    'most',
    'maxSlippageBps',
    'plannedRate',
    'keep',
    'notAfter',
    'policy',
  ]
  fc.assert(
    fc.property(fieldsOf(fields), (changed) => {
      const request = { ...conversion, ...changed }
      const expected = !isOfSluice(request) && contract.convertRequest.safeParse(request).success
      expect({ request, is: accepts(() => convertInput(request as ConvertRequest)) }).toEqual({ request, is: expected })
    }),
    { numRuns: 1_000 },
  )
})

test('the client accepts exactly the withdrawals that the product accepts', () => {
  const fields = [...Object.keys(withdrawal), 'feeMode', 'contactReference', 'most', 'keep', 'notAfter', 'policy']
  fc.assert(
    fc.property(fieldsOf(fields), (changed) => {
      const request = { ...withdrawal, ...changed }
      const expected = !isOfSluice(request) && withdrawals.withdrawRequest.safeParse(request).success
      expect({ request, is: accepts(() => withdrawInput(request as WithdrawRequest)) }).toEqual({
        request,
        is: expected,
      })
    }),
    { numRuns: 1_000 },
  )
})

const row = { id: 'june-1', contactId: 'contact-1', asset: 'USDC', amount: '98.5' }

test('the client accepts exactly the rows that the product accepts', () => {
  const odd = [
    'x.y_z-1',
    '.x',
    'r'.repeat(140),
    'r'.repeat(141),
    'tab\t',
    'line\u2028',
    'ü'.repeat(140),
    '💶'.repeat(70),
  ]
  const fields = fc.dictionary(
    fc.constantFrom(...Object.keys(row), 'reference', 'contactReference', 'other'),
    fc.constantFrom(...values, ...odd),
    { maxKeys: 2 },
  )
  fc.assert(
    fc.property(fields, (changed) => {
      const rows = [{ ...row, ...changed }]
      const is = accepts(() => checkedRows(rows as PayoutRow[]))
      expect({ rows, is }).toEqual({ rows, is: payoutRows.safeParse(rows).success })
    }),
    { numRuns: 1_000 },
  )
})

describe('rows are refused before the start:', () => {
  const many = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, index) => ({ ...row, id: `r${index}`, ...more }))
  const policies = { salaries: { kind: 'payouts' }, balanced: { kind: 'rebalance' } }

  test.each([
    ['too many', () => checkedRows(many(MOST_ROWS + 1)), /^rows: expected 1 to 100 rows/],
    ['none at all', () => checkedRows([]), /^rows: expected 1 to 100 rows/],
    ['a wrong field', () => checkedRows([row, { ...row, amount: '0' }]), /^rows\[1\]\.amount: expected/],
    [
      'an id twice',
      () => checkedRows([row, { ...row, id: 'JUNE-1' }]),
      /^rows\[1\]\.id: expected another id than rows\[0\]/,
    ],
    ['rows of another kind', () => rowsFor('balanced', policies, [row]), /^rows: expected no rows/],
    ['a run of payouts without rows', () => rowsFor('salaries', policies, undefined), /^rows: expected the rows/],
  ])('%s', (_what, check, message) => {
    expect(check).toThrow(message)
  })

  test('as many as the product takes in one run are accepted', () => {
    expect(payoutRows.safeParse(many(MOST_ROWS)).success).toBe(true)
    expect(payoutRows.safeParse(many(MOST_ROWS + 1)).success).toBe(false)
    // The longest texts that JSON makes longer still.
    const contact = { contactId: '\u0001'.repeat(256), reference: '\ud800'.repeat(140) }
    const longest = many(MOST_ROWS, {
      ...contact,
      asset: 'a'.repeat(32),
      amount: `1${'0'.repeat(29)}.${'1'.repeat(18)}`,
    })
    const named = longest.map((each, index) => ({ ...each, id: `${index}-`.padEnd(48, 'x') }))
    const rows = rowsFor('salaries', policies, named)
    expect(
      Buffer.byteLength(JSON.stringify({ policy: 'x'.repeat(48), ...rows, shadow: true, trigger: { by: 'call' } })),
    ).toBeLessThan(262_144)
  })
})

describe('the client knows each', () => {
  test('end of a conversion, a withdrawal and a run', () => {
    const { Failed: _decidedByItsFills, ...ends } = ConvertEnd
    expect(Object.keys(CONVERSION_ENDS).sort()).toEqual(Object.values(ends).sort())
    expect(Object.keys(WITHDRAWAL_ENDS).sort()).toEqual(Object.values(WithdrawEnd).sort())
    expect(Object.keys(RUN_ENDS).sort()).toEqual(Object.values(RunEnd).sort())
  })

  test.each(Object.values(PolicyKind))('state machine of the kind %s', (kind) => {
    expect(MACHINE_OF_KIND[kind]).toBe(machineOf({ kind } as Policy))
  })

  test('field of a request and of a result, by its type', () => {
    expectTypeOf<ConvertRequest>().toEqualTypeOf<Readonly<Omit<contract.ConvertRequest, 'run' | 'requestId'>>>()
    expectTypeOf<WithdrawRequest>().toEqualTypeOf<Readonly<Omit<withdrawals.WithdrawRequest, 'run' | 'requestId'>>>()
    expectTypeOf<PayoutRow>().toEqualTypeOf<Readonly<ProductRow>>()
    expectTypeOf<contract.ConvertReport>().toExtend<ConvertReport>()
    expectTypeOf<withdrawals.WithdrawReport>().toExtend<WithdrawReport>()
    expectTypeOf<RunSummary>().toExtend<RunReport>()
  })
})

test.each(['eu-west-1', 'cn-north-1', 'us-gov-west-1', 'eusc-de-east-1', 'us-iso-east-1', 'us-isob-east-1'])(
  'the client and Sluice know the same partition of %s',
  (region) => expect(partitionOf(region)).toBe(partitionOfSluice(region).id),
)
