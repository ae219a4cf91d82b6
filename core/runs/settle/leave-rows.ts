// Leaves rows to the run of another policy that has frozen them too. A row has one intent in all runs. A run that closed it
// would end the row for both, while a step of the other run is about to begin it. So a run that has not begun a row says so in
// its own record first: its steps then refuse the row. Only where the other run has said the same is the intent closed.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { WithdrawEnd } from '../../contract/outcomes.ts'
import { IntentKind } from '../../contract/records.ts'
import { readRunsOfRows } from '../plan/paid-alike.ts'
import type { RunPorts } from '../ports.ts'
import { frozenLegs, isAtEnd, type LegResult, legOf, type RunRecord } from '../record/run-record.ts'

type Ports = Pick<RunPorts, 'journal' | 'namesOf' | 'policies' | 'runs' | 'treasury'>
/** By intent id: the run that has the row too. */
type Rivals = ReadonlyMap<string, RunRecord>

export interface Leaving {
  readonly run: RunRecord
  /** By intent id: the results of the rows that another run still pays. */
  readonly left: ReadonlyMap<string, LegResult>
}

/** @throws Transient, Defect */
export async function leaveRows(run: RunRecord, ports: Ports): Promise<Leaving> {
  const unbegun = await unbegunOf(await findRivals(run, ports), ports)
  const isSaid = [...unbegun.keys()].every((intentId) => run.results[intentId]?.begunBy !== undefined)
  if (unbegun.size === 0) return { run, left: unbegun }
  const results = { ...run.results, ...Object.fromEntries(unbegun) }
  const said = isSaid ? run : await ports.runs.advance(run, { results })
  // Read after the write: of two runs that leave a row to each other, at least one sees it and closes the intent.
  const rivals = await findRivals(said, ports)
  return { run: said, left: new Map([...unbegun].filter(([intentId]) => rivals.has(intentId))) }
}

/** The open runs of other policies that have frozen a row of this run, and have not left it to another run. */
async function findRivals(run: RunRecord, ports: Ports): Promise<Rivals> {
  const legs = frozenLegs(run).filter((frozen) => legOf(run, frozen).once !== undefined)
  const rows = new Set(legs.map(({ intentId }) => intentId))
  if (rows.size === 0) return new Map()
  const open = (await readRunsOfRows(ports)).filter((other) => other.runId !== run.runId && !isAtEnd(other))
  return new Map(
    open.flatMap((other) =>
      frozenLegs(other)
        .filter(({ intentId }) => rows.has(intentId) && other.results[intentId]?.begunBy === undefined)
        .map(({ intentId }) => [intentId, other] as const),
    ),
  )
}

async function unbegunOf(rivals: Rivals, { journal }: Ports): Promise<ReadonlyMap<string, LegResult>> {
  const found = await mapBounded([...rivals], READS_AT_ONCE, async ([intentId, { runId, policy }]) => {
    if ((await journal.find(intentId, IntentKind.Withdraw)) !== undefined) return []
    const why = `run ${runId} of policy ${policy} has this row too, and pays it`
    return [[intentId, { outcome: WithdrawEnd.Exhausted, begunBy: runId, why }] as const]
  })
  return new Map(found.flat())
}
