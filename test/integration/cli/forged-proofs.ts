// Forged proofs: evidence that contradicts itself is detected, and a file without evidence is refused.
import { expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { byScript, type Change, find, forged, type Loose, rewrite, type TouredProofs } from './toured-proofs.ts'

const tenTimes = (figure: string) => String(10 * Number(figure))
const recordsOf = (parts: ReadonlyMap<string, Loose>) =>
  [...parts.values()].filter(({ part }) => part.startsWith('record I#'))

/** Changes the record whose key begins so, or a field of it. */
const inRecord =
  (key: string, change: (record: Loose) => void): Change =>
  (parts) =>
    rewrite(parts, `record ${key}`, change)
const set = (key: string, at: string, value: unknown) =>
  inRecord(key, (record) => {
    const steps = at.split('.')
    const last = steps.pop() ?? ''
    steps.reduce((inner, step) => inner[step], record)[last] = value
  })
const without = (field: string) => inRecord('I#', (record) => delete record[field])
/** Changes what the service shows, or its orders. */
const inService =
  (change: (service: Loose) => void): Change =>
  (parts) =>
    change(find(parts, 'service '))
const inOrders = (change: (row: Loose) => object) =>
  inService(({ orders }) => {
    for (const { row } of orders) if (row !== null) Object.assign(row, change(row))
  })
/** A row of the service like that of the withdrawal, with this difference. */
const secondRow = (difference: object) =>
  inService(({ rows, withdrawal }) => rows.push({ ...withdrawal, id: 'second', ...difference }))
const all =
  (...changes: readonly Change[]): Change =>
  (parts) => {
    for (const change of changes) change(parts)
  }
const leftOut =
  (name: string): Change =>
  (parts) =>
    parts.delete(find(parts, name).part)

/** Evidence that the service may show for a movement that ties out. */
const BELIEVED: readonly (readonly [string, string, Change])[] = [
  ...['usdc', 'USDC ', null].map(
    (assetSymbol) =>
      [
        'tour-payout',
        `its row names its asset ${JSON.stringify(assetSymbol)}`,
        inService(({ rows, withdrawal }) => {
          for (const row of [withdrawal, ...rows]) if (row.id === withdrawal.id) row.assetSymbol = assetSymbol
        }),
      ] as const,
  ),
  [
    'tour-payout',
    'somebody else has withdrawn about as much',
    inService(({ rows, withdrawal }) => {
      const total = String(Number(withdrawal.total) * 0.9)
      rows.push({ ...withdrawal, id: 'theirs', amount: String(Number(total) - Number(withdrawal.fee)), total })
    }),
  ],
  [
    'tour-arrivals',
    'its order names market and side in lower case, and no assets',
    inOrders(({ market }) => ({
      ...{ baseAsset: null, quoteAsset: null, side: 'sell', market: ` ${market.toLowerCase()} ` },
    })),
  ],
]

const RESOLVED = { by: 'ann', because: 'seen', at: '2026-01-01T00:00:00.000Z' }
const ZERO = { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' }
const zero = inRecord('I#', (record) => Object.assign(record, ZERO))
const nothingShown = { orders: [], fills: [], ledger: [] }
const known = (id: string) =>
  inRecord('I#', ({ attempt }) => attempt.known.push({ id, at: '2026-01-01T00:00:00.000Z' }))

type Forgery = readonly [what: string, change: Change]
/** By the reported contradiction and the run. */
const CONTRADICTIONS: readonly (readonly [string, string, readonly Forgery[]])[] = [
  [
    'record_broken',
    'tour-payout',
    [
      [
        'a field of a record was changed by hand',
        (parts) => {
          find(parts, 'record I#').record.createdAt = '2020-01-01T00:00:00.000Z'
        },
      ],
    ],
  ],
  [
    'another_account',
    'tour-payout',
    [
      [
        'the service was read as another account',
        (parts) => {
          find(parts, 'about').from.account = 'another'
        },
      ],
    ],
  ],
  ['request_differs', 'tour-payout', [['what was asked for was changed', set('I#', 'params.amount', '1')]]],
  [
    'leg_differs',
    'tour-payout',
    [
      ['the plan was changed afterwards', set('R#', 'plan.legs.0.request.amount', '1')],
      ['the run says that it froze nothing, and an intent of it is there', set('R#', 'phases', [])],
    ],
  ],
  [
    'terms_differ',
    'tour-payout',
    [['it was to go to somebody else than was asked for', set('I#', 'frozen.payee.contactId', 'another')]],
  ],
  ['body_differs', 'tour-payout', [['something else was signed', set('I#', 'attempt.bodySha256', '0'.repeat(64))]]],
  ['claim_missing', 'tour-arrivals', [['the claim is of another intent', set('C#', 'intentId', 'another')]]],
  [
    'claim_missing',
    'tour-payout',
    [
      ['it was never armed, and what the service shows is left out', all(leftOut('service '), without('attempt'))],
      ['it is done, and by no movement', without('ref')],
      ['the run says that the leg came to its end, and its record is left out', leftOut('record I#')],
    ],
  ],
  [
    'movement_missing',
    'tour-arrivals',
    [
      [
        'the service shows no such order',
        inService(({ orders }) => {
          for (const order of orders) order.row = null
        }),
      ],
    ],
  ],
  [
    'movement_differs',
    'tour-arrivals',
    [
      ['the order is of the other side', inOrders(() => ({ side: 'BUY' }))],
      ['the order is on another market', inOrders(() => ({ market: 'BTC-USDT' }))],
      ['the order is of another base asset', inOrders(() => ({ baseAsset: 'DOGE' }))],
      ['the order is of another quote asset', inOrders(() => ({ quoteAsset: 'USDT' }))],
      [
        'the order is of ten times the base amount',
        inOrders(({ baseAmount }) => ({ baseAmount: tenTimes(baseAmount) })),
      ],
      [
        'the order is of ten times the quote amount',
        inOrders(({ quoteAmount }) => ({ quoteAmount: tenTimes(quoteAmount) })),
      ],
      [
        'its attempt is lost, and a person has named the order',
        all(without('attempt'), set('I#', 'resolution', RESOLVED)),
      ],
      [
        'the order is of another quote than was sent, and a person has named it',
        all(set('I#', 'attempt.orderId', 'another'), set('I#', 'resolution', RESOLVED)),
      ],
    ],
  ],
  [
    'movement_differs',
    'tour-payout',
    [
      [
        'the row was there before the send',
        (parts) => {
          const { id, createdAt: at } = find(parts, 'service ').withdrawal
          rewrite(parts, 'record I#', ({ attempt }) => attempt.known.push({ id, at }))
        },
      ],
      ['it was never armed', without('attempt')],
    ],
  ],
  [
    'another_movement',
    'tour-arrivals',
    [
      [
        'another quote of the intent was ordered as well',
        inService(({ orders }) => orders.push({ id: 'second', row: { ...orders[0].row, id: 'second' } })),
      ],
      ['a zero, and its order is there', all(zero, without('ref'))],
      ['a zero that keeps the id of its order', zero],
    ],
  ],
  [
    'another_movement',
    'tour-payout',
    [
      ['a row like it belongs to nobody', secondRow({})],
      ['such a row has its asset in lower case', secondRow({ assetSymbol: 'usdc' })],
      ['such a row has its asset padded', secondRow({ assetSymbol: 'USDC ' })],
      ['such a row names another asset', secondRow({ assetSymbol: 'OTHER' })],
      ['such a row lacks its asset', secondRow({ assetSymbol: null })],
      ['such a row lacks its network', secondRow({ networkId: null })],
      ['such a row is on another network', secondRow({ networkId: 'another' })],
    ],
  ],
  [
    'not_looked_for',
    'tour-payout',
    [
      ['the rows around it are left out', inService((service) => delete service.rows)],
      ['the rows around it lack one that was known', known('lacking')],
    ],
  ],
  [
    'not_looked_for',
    'tour-arrivals',
    [
      [
        'a zero of which nobody asked the service',
        all(
          zero,
          without('ref'),
          inService((service) => Object.assign(service, nothingShown)),
        ),
      ],
    ],
  ],
  [
    'looked_too_early',
    'tour-arrivals',
    [
      [
        'a zero that was read before the send was dead',
        all(
          zero,
          without('ref'),
          inService((service) => Object.assign(service, nothingShown, { readAt: '2020-01-01T00:00:00.000Z' })),
        ),
      ],
    ],
  ],
  [
    'figures_differ',
    'tour-arrivals',
    [
      [
        'ten times what was ordered was filled',
        inService(({ orders, fills, ledger }) => {
          const figures = ['baseAmount', 'quoteAmount', 'amount', 'filledBaseAmount', 'filledQuoteAmount']
          const rows = orders.map(({ row }: Loose) => row).filter((row: Loose) => row !== null)
          const { baseAmount, quoteAmount } = rows[0]
          for (const part of [...rows, ...fills, ...ledger])
            for (const name of figures) if (name in part) part[name] = tenTimes(part[name])
          Object.assign(rows[0], { baseAmount, quoteAmount })
        }),
      ],
      [
        'a fill is of another amount',
        inService(({ fills }) => {
          fills[0].baseAmount = '1.4'
        }),
      ],
      [
        'the ledger has no entry of a fill',
        inService((service) => {
          service.ledger = []
        }),
      ],
    ],
  ],
  [
    'figures_differ',
    'tour-payout',
    [
      [
        'the ledger booked another amount',
        inService(({ ledger }) => {
          ledger[0].amount = '1'
        }),
      ],
    ],
  ],
  [
    'movement_shared',
    'rebalance-',
    [
      [
        'two intents have one movement',
        (parts) => {
          const [first, second] = recordsOf(parts)
          rewrite(parts, second.part, (record) => {
            record.ref = first.record.ref
          })
        },
      ],
    ],
  ],
]
const CONVICTED = CONTRADICTIONS.flatMap(([code, name, forgeries]) =>
  forgeries.map(([what, change]) => [code, name, what, change] as const),
)

/** The forged part, the change, and the text of the refusal. */
const REFUSED: readonly (readonly [string, Change, RegExp])[] = [
  [
    'a record under the name of another',
    (parts) => {
      const [first, second] = recordsOf(parts)
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
  ['no run', leftOut('record R#'), /record is missing/],
  [
    'an amount that is a number',
    inService(({ fills }) => {
      fills[0].baseAmount = 1.5
    }),
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
