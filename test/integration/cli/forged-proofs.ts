// Forged proofs: evidence that contradicts itself is detected, and a file without evidence is refused.
import { expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { byScript, type Change, find, forged, type Loose, rewrite, type TouredProofs } from './toured-proofs.ts'

const tenTimes = (figure: string) => String(10 * Number(figure))

/** Orders that differ from the request, or from the quote. */
const ORDERS: readonly (readonly [string, (row: Loose) => object])[] = [
  ['on another market', () => ({ market: 'BTC-USDT' })],
  ['of another base asset', () => ({ baseAsset: 'DOGE' })],
  ['of another quote asset', () => ({ quoteAsset: 'USDT' })],
  ['of ten times the base amount', ({ baseAmount }) => ({ baseAmount: tenTimes(baseAmount) })],
  ['of ten times the quote amount', ({ quoteAmount }) => ({ quoteAmount: tenTimes(quoteAmount) })],
]

/** Rows with the figure of a withdrawal. */
const SECOND_ROWS: readonly (readonly [string, object])[] = [
  ['its asset is in lower case', { assetSymbol: 'usdc' }],
  ['its asset is padded', { assetSymbol: 'USDC ' }],
  ['it names another asset', { assetSymbol: 'OTHER' }],
  ['its asset is missing', { assetSymbol: null }],
  ['its network is missing', { networkId: null }],
  ['it is on another network', { networkId: 'another' }],
]

/** Evidence that the service may show for a movement that ties out. */
const BELIEVED: readonly (readonly [string, string, Change])[] = [
  ...['usdc', 'USDC ', null].map(
    (assetSymbol) =>
      [
        'tour-payout',
        `its row names its asset ${JSON.stringify(assetSymbol)}`,
        (parts: Map<string, Loose>) => {
          const { rows, withdrawal } = find(parts, 'service ')
          for (const row of [withdrawal, ...rows]) if (row.id === withdrawal.id) row.assetSymbol = assetSymbol
        },
      ] as const,
  ),
  [
    'tour-payout',
    'somebody else has withdrawn about as much',
    (parts) => {
      const { rows, withdrawal } = find(parts, 'service ')
      const total = String(Number(withdrawal.total) * 0.9)
      rows.push({ ...withdrawal, id: 'theirs', amount: String(Number(total) - Number(withdrawal.fee)), total })
    },
  ],
  [
    'tour-arrivals',
    'its order names market and side in lower case, and no assets',
    (parts) => {
      for (const { row } of find(parts, 'service ').orders)
        Object.assign(row, { baseAsset: null, quoteAsset: null, side: 'sell', market: ` ${row.market.toLowerCase()} ` })
    },
  ],
]

/** The reported contradiction, the run, the forged part, and the change. */
const CONVICTED: readonly (readonly [string, string, string, Change])[] = [
  [
    'record_broken',
    'tour-payout',
    'a field of a record was changed by hand',
    (parts) => {
      find(parts, 'record I#').record.createdAt = '2020-01-01T00:00:00.000Z'
    },
  ],
  [
    'another_account',
    'tour-payout',
    'the service was read as another account',
    (parts) => {
      find(parts, 'about').from.account = 'another'
    },
  ],
  [
    'request_differs',
    'tour-payout',
    'what was asked for was changed',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        record.params.amount = '1'
      })
    },
  ],
  [
    'leg_differs',
    'tour-payout',
    'the plan was changed afterwards',
    (parts) => {
      rewrite(parts, 'record R#', (record) => {
        record.plan.legs[0].request.amount = '1'
      })
    },
  ],
  [
    'terms_differ',
    'tour-payout',
    'it was to go to somebody else than was asked for',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        const { frozen } = record
        frozen.payee.contactId = 'another'
      })
    },
  ],
  [
    'body_differs',
    'tour-payout',
    'something else was signed',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        record.attempt.bodySha256 = '0'.repeat(64)
      })
    },
  ],
  [
    'claim_missing',
    'tour-arrivals',
    'the claim is of another intent',
    (parts) => {
      rewrite(parts, 'record C#', (record) => {
        record.intentId = 'another'
      })
    },
  ],
  [
    'movement_missing',
    'tour-arrivals',
    'the service shows no such order',
    (parts) => {
      const { orders } = find(parts, 'service ')
      for (const order of orders) order.row = null
    },
  ],
  [
    'movement_differs',
    'tour-arrivals',
    'the order is of the other side',
    (parts) => {
      for (const { row } of find(parts, 'service ').orders) if (row !== null) row.side = 'BUY'
    },
  ],
  [
    'another_movement',
    'tour-arrivals',
    'another quote of the intent was ordered as well',
    (parts) => {
      const { orders } = find(parts, 'service ')
      orders.push({ id: 'second', row: { ...orders[0].row, id: 'second' } })
    },
  ],
  [
    'another_movement',
    'tour-payout',
    'a row like it belongs to nobody',
    (parts) => {
      const { rows, withdrawal } = find(parts, 'service ')
      rows.push({ ...withdrawal, id: 'second' })
    },
  ],
  ...ORDERS.map(
    ([what, change]) =>
      [
        'movement_differs',
        'tour-arrivals',
        `the order is ${what}`,
        (parts: Map<string, Loose>) => {
          for (const { row } of find(parts, 'service ').orders) if (row !== null) Object.assign(row, change(row))
        },
      ] as const,
  ),
  ...SECOND_ROWS.map(
    ([what, change]) =>
      [
        'another_movement',
        'tour-payout',
        `a row like it belongs to nobody, and ${what}`,
        (parts: Map<string, Loose>) => {
          const { rows, withdrawal } = find(parts, 'service ')
          rows.push({ ...withdrawal, id: 'second', ...change })
        },
      ] as const,
  ),
  [
    'movement_differs',
    'tour-payout',
    'the row was there before the send',
    (parts) => {
      const { withdrawal } = find(parts, 'service ')
      rewrite(parts, 'record I#', ({ attempt }) => {
        attempt.known.push({ id: withdrawal.id, at: withdrawal.createdAt })
      })
    },
  ],
  [
    'movement_differs',
    'tour-payout',
    'it was never armed',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        delete record.attempt
      })
    },
  ],
  [
    'claim_missing',
    'tour-payout',
    'it was never armed, and what the service shows is left out',
    (parts) => {
      parts.delete(find(parts, 'service ').part)
      rewrite(parts, 'record I#', (record) => {
        delete record.attempt
      })
    },
  ],
  [
    'movement_differs',
    'tour-arrivals',
    'its attempt is lost, and a person has named the order',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        delete record.attempt
        record.resolution = { by: 'ann', because: 'seen', at: '2026-01-01T00:00:00.000Z' }
      })
    },
  ],
  [
    'movement_differs',
    'tour-arrivals',
    'the order is of another quote than was sent, and a person has named it',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        record.attempt.orderId = 'another'
        record.resolution = { by: 'ann', because: 'seen', at: '2026-01-01T00:00:00.000Z' }
      })
    },
  ],
  [
    'claim_missing',
    'tour-payout',
    'it is done, and by no movement',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        delete record.ref
      })
    },
  ],
  [
    'claim_missing',
    'tour-payout',
    'the run says that the leg came to its end, and its record is left out',
    (parts) => parts.delete(find(parts, 'record I#').part),
  ],
  [
    'leg_differs',
    'tour-payout',
    'the run says that it froze nothing, and an intent of it is there',
    (parts) => {
      rewrite(parts, 'record R#', (record) => {
        record.phases = []
      })
    },
  ],
  [
    'not_looked_for',
    'tour-payout',
    'the rows around it are left out',
    (parts) => {
      delete find(parts, 'service ').rows
    },
  ],
  [
    'not_looked_for',
    'tour-payout',
    'the rows around it lack one that was known',
    (parts) => {
      rewrite(parts, 'record I#', ({ attempt }) => {
        attempt.known.push({ id: 'lacking', at: '2026-01-01T00:00:00.000Z' })
      })
    },
  ],
  [
    'figures_differ',
    'tour-arrivals',
    'ten times what was ordered was filled',
    (parts) => {
      const { orders, fills, ledger } = find(parts, 'service ')
      const figures = ['baseAmount', 'quoteAmount', 'amount', 'filledBaseAmount', 'filledQuoteAmount']
      const rows = orders.map(({ row }: Loose) => row).filter((row: Loose) => row !== null)
      const { baseAmount, quoteAmount } = rows[0]
      for (const part of [...rows, ...fills, ...ledger])
        for (const name of figures) if (name in part) part[name] = String(10 * Number(part[name]))
      Object.assign(rows[0], { baseAmount, quoteAmount })
    },
  ],
  [
    'figures_differ',
    'tour-arrivals',
    'a fill is of another amount',
    (parts) => {
      find(parts, 'service ').fills[0].baseAmount = '1.4'
    },
  ],
  [
    'figures_differ',
    'tour-arrivals',
    'the ledger has no entry of a fill',
    (parts) => {
      find(parts, 'service ').ledger = []
    },
  ],
  [
    'figures_differ',
    'tour-payout',
    'the ledger booked another amount',
    (parts) => {
      find(parts, 'service ').ledger[0].amount = '1'
    },
  ],
  [
    'another_movement',
    'tour-arrivals',
    'a zero, and its order is there',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        Object.assign(record, { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' })
        delete record.ref
      })
    },
  ],
  [
    'another_movement',
    'tour-arrivals',
    'a zero that keeps the id of its order',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        Object.assign(record, { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' })
      })
    },
  ],
  [
    'not_looked_for',
    'tour-arrivals',
    'a zero of which nobody asked the service',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        Object.assign(record, { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' })
        delete record.ref
      })
      Object.assign(find(parts, 'service '), { orders: [], fills: [], ledger: [] })
    },
  ],
  [
    'looked_too_early',
    'tour-arrivals',
    'a zero that was read before the send was dead',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        Object.assign(record, { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' })
        delete record.ref
      })
      Object.assign(find(parts, 'service '), { readAt: '2020-01-01T00:00:00.000Z', orders: [], fills: [], ledger: [] })
    },
  ],
  [
    'movement_shared',
    'rebalance-',
    'two intents have one movement',
    (parts) => {
      const [first, second] = [...parts.values()].filter(({ part }) => part.startsWith('record I#'))
      rewrite(parts, second.part, (record) => {
        record.ref = first.record.ref
      })
    },
  ],
]

/** The forged part, the change, and the text of the refusal. */
const REFUSED: readonly (readonly [string, Change, RegExp])[] = [
  [
    'a record under the name of another',
    (parts) => {
      const [first, second] = [...parts.values()].filter(({ part }) => part.startsWith('record I#'))
      const { record } = first
      first.record = second.record
      second.record = record
    },
    /record I#\S+: it holds another record than it says/,
  ],
  [
    'a record without its intent',
    (parts) => {
      find(parts, 'record R#').record.phases[0].legs = 'none'
    },
    /phases/,
  ],
  [
    'another address in its statement',
    (parts) => {
      find(parts, 'statement').statement.from.service = 'https://api.example.com'
    },
    /statement: it says other/,
  ],
  [
    'play money that calls itself otherwise',
    (parts) => {
      find(parts, 'about').from.money = 'real money'
    },
    /about\.from\.money/,
  ],
  ['no statement', (parts) => parts.delete('statement'), /statement: the part is missing/],
  ['no run', (parts) => parts.delete(find(parts, 'record R#').part), /record is missing/],
  [
    'an amount that is a number',
    (parts) => {
      find(parts, 'service ').fills[0].baseAmount = 1.5
    },
    /service \S+: .*baseAmount/,
  ],
  [
    'a prototype',
    (parts) => {
      parts.set('__proto__', { part: '__proto__' })
      find(parts, 'about').kind = '__proto__'
    },
    /about/,
  ],
]

/** Declares the tests. `tour` is called when one of them runs: a tour takes seconds, and serves the whole file. */
export function forgedProofTests(tour: () => TouredProofs): void {
  test.each(CONVICTED)(
    'evidence that contradicts itself is detected, however it is signed: %s (%s: %s)',
    async (code, name, _what, change) => {
      const file = tour().written(await forged(tour().proofOf(name), change))
      const { exitCode, stdout } = await runInProcess(['proof', 'check', file, '--json'])
      expect(exitCode).toBe(5)
      expect(JSON.parse(stdout).statement.contradictions.map((each: { code: string }) => each.code)).toContain(code)
      const script = byScript(file)
      expect(script).toMatchObject({ exitCode: 5, stderr: '' })
      expect(script.stdout).toContain(code)
      // The former statement is a lie over this evidence.
      const lie = tour().written(await forged(tour().proofOf(name), change, false))
      const checked = await runInProcess(['proof', 'check', lie])
      expect(checked).toMatchObject({ exitCode: 1, stdout: '' })
      expect(checked.stderr).toContain('statement: it says other than what follows from the evidence beside it')
      expect(byScript(lie)).toMatchObject({ exitCode: 1, stdout: '' })
    },
  )

  test.each(BELIEVED)('evidence of a movement that ties out is accepted (%s: %s)', async (name, _what, change) => {
    const file = tour().written(await forged(tour().proofOf(name), change))
    const { exitCode, stdout } = await runInProcess(['proof', 'check', file, '--json'])
    expect({ exitCode, contradictions: JSON.parse(stdout).statement.contradictions }).toEqual({
      exitCode: 6,
      contradictions: [],
    })
    expect(byScript(file)).toMatchObject({ exitCode: 6, stderr: '' })
  })

  test('a proof without evidence of the service says so', async () => {
    const file = tour().written(
      await forged(tour().proofOf('tour-payout'), (parts) => parts.delete(find(parts, 'service ').part)),
    )
    const { stdout } = await runInProcess(['proof', 'check', file])
    expect(stdout).toContain('not shown: what the service shows of ')
    expect(byScript(file).stdout).toContain('not shown: "what the service shows of ')
  })

  test('an escalated intent, an intent in doubt and a certified zero are reported as such', async () => {
    const states: [state: string, verdict: string, more: object][] = [
      ['ESCALATED', 'stop with evidence', { outcome: 'NEEDS_ATTENTION', why: 'two rows match' }],
      ['ARMED', 'in doubt', {}],
      ['EXHAUSTED', 'certified zero', { outcome: 'EXPIRED_OUT', why: 'no order was there past the fence' }],
    ]
    for (const [state, verdict, more] of states) {
      const file = tour().written(
        await forged(tour().proofOf('tour-arrivals'), (parts) => {
          rewrite(parts, 'record I#', (record) => {
            delete record.ref
            Object.assign(record, { state, ...more })
          })
          rewrite(parts, 'record R#', (record) => {
            record.results = {}
          })
          const service = find(parts, 'service ')
          const orders = service.orders.map(({ id }: { id: string }) => ({ id, row: null }))
          Object.assign(service, { readAt: '2999-01-01T00:00:00.000Z', orders, fills: [], ledger: [] })
        }),
      )
      const { exitCode, stdout } = await runInProcess(['proof', 'check', file, '--json'])
      expect({ exitCode, verdict: JSON.parse(stdout).statement.movements[0].verdict }).toEqual({ exitCode: 6, verdict })
      expect(byScript(file)).toMatchObject({ exitCode: 6, stdout: expect.stringContaining(verdict) })
    }
  })

  test.each(REFUSED)('a proof with %s is refused with a reason', async (_what, change, words) => {
    const file = tour().written(await forged(tour().proofOf('rebalance-'), change, false))
    const { exitCode, stdout, stderr } = await runInProcess(['proof', 'check', file])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(words)
    expect(byScript(file)).toMatchObject({ exitCode: 1, stdout: '' })
  })
}
