// Runs end with a leg in doubt, and settle later, when people say which movement it was. The breaker counts a run no longer
// once it is settled, and still counts the runs that failed around it.
import { RunEnd } from '../../../../core/contract/runs.ts'
import type { Evidence, RunEvidence } from '../evidence.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, daily, fileOf, START_MS, setBalance } from './base.ts'

/** Every run of it settles in the end. */
const DOUBTED = 'doubted'
/** A run in doubt that settles later stands between three that fail. */
const FAILING = 'failing'
const ASSETS: Readonly<Record<string, string>> = { [DOUBTED]: 'USDC', [FAILING]: 'USDT' }

const LOST = { kind: 'dropAfterCommit' }
const FAILS = { kind: 'failLater', afterMs: 2_000 }

export const recounted: World = {
  name: 'recounted',
  says: 'runs end in doubt and settle later, between others that fail, and the breaker counts those that failed',
  startMs: START_MS,
  plot(_seed, days, contact) {
    const policy = (asset: string, reference: string, failures: number) => ({
      ...{ kind: 'sweep', breaker: { failures } },
      rules: [{ assets: [asset], contactId: contact(reference), keep: { target: '100' } }],
    })
    const file = fileOf({
      [DOUBTED]: policy('USDC', 'cold-usdc-polygon', 2),
      [FAILING]: policy('USDT', 'supplier-usdt-tron', 3),
    })
    let given = 0
    const runAt = (hour: number, name: string, fault: object) =>
      daily(START_MS, days, hour, (hands) => {
        // No two withdrawals have the same terms.
        given += 1
        setBalance(hands, ASSETS[name] as string, 600 + given)
        hands.clearRules()
        hands.control('/rules', { match: { method: 'POST', path: '/v2/withdrawals', times: 1 }, fault })
        hands.start(name)
      })
    const resolveAt = (hour: number) => daily(START_MS, days, hour, (hands) => hands.resolveDoubts())
    const checkAt = (hour: number, name: string) => daily(START_MS, days, hour, (hands) => hands.checkAgain(name))
    return {
      // Others use the account, so the movement of a lost answer cannot be known without a person.
      file: { ...file, service: { ...(file.service as object), shared: true } },
      happenings: byTime(
        [calmBefore(START_MS)],
        ...[runAt(1, DOUBTED, LOST), resolveAt(3), checkAt(4, DOUBTED)],
        ...[runAt(5, DOUBTED, LOST), resolveAt(7), checkAt(8, DOUBTED)],
        // The doubt is resolved before the next run, and its run is checked only after that.
        ...[runAt(9, FAILING, LOST), resolveAt(11), runAt(13, FAILING, FAILS)],
        ...[checkAt(14, FAILING), checkAt(15, FAILING), runAt(17, FAILING, FAILS), runAt(19, FAILING, FAILS)],
        daily(START_MS, days, 22, (hands) => hands.resume(FAILING)),
      ),
      expect: ({ runs }: Evidence) => [...settledStays(runs), ...failedTrips(runs, days)],
    }
  },
}

/** The first entries, in their order. Later entries only settle them again. */
function runsOf(policy: string, runs: readonly RunEvidence[]): RunEvidence[] {
  return runs
    .filter((run) => run.policy === policy && run.report?.runId === run.name)
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
}

function settledStays(runs: readonly RunEvidence[]): string[] {
  return runsOf(DOUBTED, runs).flatMap(({ report, startedAt }) => {
    const found =
      report?.outcome === RunEnd.Settled ? [] : [`recount: the run of ${startedAt} ended ${report?.outcome}`]
    const { tripped } = report ?? {}
    return tripped === undefined
      ? found
      : [...found, `recount: ${DOUBTED} was halted, and all of it settled: ${tripped.because}`]
  })
}

/** Each day has four runs, and the last is the third that failed. */
function failedTrips(runs: readonly RunEvidence[], days: number): string[] {
  const own = runsOf(FAILING, runs)
  const wanted = Array.from({ length: days }, () => [
    RunEnd.Settled,
    RunEnd.NothingMoved,
    RunEnd.NothingMoved,
    RunEnd.NothingMoved,
  ])
  const ends = own.map(({ report }) => report?.outcome)
  const others = ends.join() === wanted.flat().join() ? [] : [`recount: runs of ${FAILING} ended ${ends.join()}`]
  return own
    .flatMap(({ report, startedAt }, index) => {
      const isThird = index % 4 === 3
      if ((report?.tripped !== undefined) === isThird) return []
      return [
        `recount: the run of ${startedAt} was ${isThird ? 'the third to fail, and halted nothing' : 'not the third to fail, and halted'}`,
      ]
    })
    .concat(others)
}
