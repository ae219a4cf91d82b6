// Proofs that somebody else made up: evidence that speaks against itself is convicted, and what is no evidence is refused.
import { expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { byScript, type Change, find, forged, rewrite, type TouredProofs } from './toured-proofs.ts'

/** The contradiction that is told, the run, what was forged, and how. */
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
      find(parts, 'about').account = 'another'
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
    'a zero that was looked at before the send was dead',
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

/** What was forged, how, and the words of the refusal. */
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
    'evidence that speaks against itself is convicted, however it is signed: %s (%s: %s)',
    async (code, name, _what, change) => {
      const file = tour().written(await forged(tour().proofOf(name), change))
      const { exitCode, stdout } = await runInProcess(['verify', file, '--json'])
      expect(exitCode).toBe(5)
      expect(JSON.parse(stdout).statement.contradictions.map((each: { code: string }) => each.code)).toContain(code)
      const script = byScript(file)
      expect(script).toMatchObject({ exitCode: 5, stderr: '' })
      expect(script.stdout).toContain(code)
      // The statement of before, over this evidence, is a lie.
      const lie = tour().written(await forged(tour().proofOf(name), change, false))
      const told = await runInProcess(['verify', lie])
      expect(told).toMatchObject({ exitCode: 1, stdout: '' })
      expect(told.stderr).toContain('statement: it says other than what follows from the evidence beside it')
      expect(byScript(lie)).toMatchObject({ exitCode: 1, stdout: '' })
    },
  )

  test('an intent that a person must settle, one in doubt and a certified zero are told as what they are', async () => {
    const states: [state: string, verdict: string, more: object][] = [
      ['ESCALATED', 'halt with evidence', { outcome: 'NEEDS_ATTENTION', why: 'two rows match' }],
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
          const service = find(parts, 'service ')
          const orders = service.orders.map(({ id }: { id: string }) => ({ id, row: null }))
          Object.assign(service, { readAt: '2999-01-01T00:00:00.000Z', orders, fills: [], ledger: [] })
        }),
      )
      const { exitCode, stdout } = await runInProcess(['verify', file, '--json'])
      expect({ exitCode, verdict: JSON.parse(stdout).statement.movements[0].verdict }).toEqual({ exitCode: 0, verdict })
      expect(byScript(file)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(verdict) })
    }
  })

  test.each(REFUSED)('a proof with %s is refused in words', async (_what, change, words) => {
    const file = tour().written(await forged(tour().proofOf('rebalance-'), change, false))
    const { exitCode, stdout, stderr } = await runInProcess(['verify', file])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(words)
    expect(byScript(file)).toMatchObject({ exitCode: 1, stdout: '' })
  })
}
