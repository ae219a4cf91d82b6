// Two policies get the same row. While the plan of the second waits for people, the first begins the row, which then waits for
// the end of quiet hours. The second ends in doubt about a row of its own. Once people have settled that doubt, the second pays
// its next file, while the shared row still waits. It gets the shared row once more, while the service's clock is hours ahead.
// Later both get a row at once. The service fails while the first checks it, so the second settles before the first has begun it.
import type { PayoutRow } from '../../../../core/contract/payouts.ts'
import type { Evidence } from '../evidence.ts'
import { unpaidRows } from '../observer/payouts.ts'
import { readAccount } from '../observer/sends.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, daily, fileOf, START_MS, setBalance } from './base.ts'

const LOST = { kind: 'dropAfterCommit' }
const UNAVAILABLE = { kind: 'errorBeforeCommit', status: 503, code: 'internal_error' }
/** Below every row but those that both policies get at once. */
const ASKS = { approval: { above: '50', expiresAfterSeconds: 3_600 } }
/** Past the time of every run of the day. */
const AHEAD_MS = 3 * 3_600_000
const QUIET = [{ from: '10:00', to: '11:00' }]

export const sameRows: World = {
  name: 'same-rows',
  says: 'two policies get the same row, which waits, and the second policy pays its other rows meanwhile',
  startMs: START_MS,
  plot(_seed, days, contact) {
    const pays = { kind: 'payouts', assets: ['USDC', 'EUR'], runLifeSeconds: 7_200 }
    const file = fileOf({ bills: { ...pays, guards: { quietHours: QUIET } }, branch: { ...pays, ...ASKS } })
    const rowOf = (day: number, name: string, asset: string): PayoutRow => ({
      id: `d${day}-${name}`,
      contactId: contact('subsidiary'),
      ...{ asset, amount: (100 + day + name.length / 10).toFixed(2), reference: name },
    })
    const rowsOf = (day: number) => ({
      both: rowOf(day, 'both', 'EUR'),
      own: rowOf(day, 'own', 'USDC'),
      later: rowOf(day, 'later', 'USDC'),
      twin: { ...rowOf(day, 'twin', 'USDC'), amount: (40 + day / 100).toFixed(2) },
    })
    const at = (hour: number, act: (hands: Parameters<Parameters<typeof daily>[3]>[0], day: number) => unknown) =>
      daily(START_MS, days, hour, async (hands, day) => void (await act(hands, day)))
    return {
      // Others use the account, so the movement of a lost answer cannot be known without a person.
      file: { ...file, service: { ...(file.service as object), shared: true } },
      happenings: byTime(
        [calmBefore(START_MS)],
        at(9, (hands) => {
          for (const asset of ['USDC', 'EUR']) setBalance(hands, asset, 1_000)
        }),
        at(9.9, (hands, day) => hands.pay('branch', [rowsOf(day).both, rowsOf(day).own])),
        at(9.999, (hands, day) => hands.pay('bills', [rowsOf(day).both])),
        at(10.05, (hands) => {
          hands.control('/rules', { match: { method: 'POST', path: '/v2/withdrawals', times: 1 }, fault: LOST })
          return hands.approve()
        }),
        at(10.5, (hands) => hands.resolveDoubts()),
        at(10.6, (hands, day) => hands.pay('branch', [rowsOf(day).later])),
        at(10.7, (hands) => hands.approve()),
        at(10.8, (hands, day) => {
          hands.control('/clock', { offsetMs: AHEAD_MS })
          return hands.pay('branch', [rowsOf(day).both])
        }),
        at(10.805, (hands) => hands.control('/clock', { offsetMs: 0 })),
        at(10.81, (hands) => hands.approve()),
        at(12, (hands) => hands.checkAgain('branch')),
        at(14, (hands, day) => {
          hands.control('/rules', { match: { method: 'GET', path: '/v2/assets/*', times: 6 }, fault: UNAVAILABLE })
          return Promise.all([hands.pay('bills', [rowsOf(day).twin]), hands.pay('branch', [rowsOf(day).twin])])
        }),
      ),
      expect: (evidence) =>
        everyRowMoves(evidence, Array.from({ length: days }, (_, day) => Object.values(rowsOf(day))).flat()),
    }
  },
}

function everyRowMoves(evidence: Evidence, rows: readonly PayoutRow[]): string[] {
  const unpaid = unpaidRows(readAccount(evidence).sends, [{ rows }])
  return unpaid.map(({ id }) => `row ${id} was given, and nothing moved it`)
}
