// Reads the log of people: who asked, approved, rejected, halted, resumed and settled, when and why. A broken chain is
// part of the result. Reads only.

import { ExitCode } from '../../place/exit-code.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import type { Act, BrokenRecord } from './act.ts'
import type { ActFilter } from './filter.ts'
import { type ActSources, walkActs } from './walk-acts.ts'

/** Maximum broken records that are kept by name. The rest is counted. */
const MOST_NAMED = 1_000

export interface BrokenRecords {
  readonly broken: readonly BrokenRecord[]
  readonly brokenTotal: number
}

export interface PeopleLog extends BrokenRecords {
  /** Latest first. */
  readonly acts: readonly Act[]
  /** Whether there are earlier acts. */
  readonly hasMore: boolean
}

interface ExportedActs extends BrokenRecords {
  readonly rows: number
}

/** Takes rows until the last, or until it needs no more. It waits for its reader, so that memory stays flat. */
type TakeActs = (rows: AsyncIterable<Act>) => Promise<void>

/** The latest acts, at most `limit`. @throws OperationError */
export function readPeopleLog(reader: Reader, filter: ActFilter, limit: number): Promise<PeopleLog & Everywhere> {
  return atJournal(reader, async (journal) => {
    const acts: Act[] = []
    const { onBroken, result } = gatherBroken()
    for await (const act of walkActs({ journal, nowMs: reader.context.clock.nowMs(), onBroken }, filter)) {
      acts.push(act)
      if (acts.length > limit) break
    }
    return { acts: acts.slice(0, limit), hasMore: acts.length > limit, ...result() }
  })
}

/** @throws OperationError. Rows that were taken until then are not the whole log. */
export function exportPeopleLog(reader: Reader, filter: ActFilter, take: TakeActs): Promise<ExportedActs> {
  return atJournal(reader, async (journal) => {
    const { onBroken, result } = gatherBroken()
    let rows = 0
    const walked = walkActs({ journal, nowMs: reader.context.clock.nowMs(), onBroken }, filter)
    await take(counting(walked, () => (rows += 1)))
    return { rows, ...result() }
  })
}

export function peopleLogExitCode({ brokenTotal }: Pick<BrokenRecords, 'brokenTotal'>): ExitCode {
  return brokenTotal === 0 ? ExitCode.Done : ExitCode.DoesNotTieOut
}

function gatherBroken(): Pick<ActSources, 'onBroken'> & { readonly result: () => BrokenRecords } {
  const broken: BrokenRecord[] = []
  let brokenTotal = 0
  return {
    onBroken: (each) => {
      brokenTotal += 1
      if (broken.length < MOST_NAMED) broken.push(each)
    },
    result: () => ({ broken, brokenTotal }),
  }
}

async function* counting<Row>(rows: AsyncIterable<Row>, count: () => void): AsyncGenerator<Row, void> {
  for await (const row of rows) {
    count()
    yield row
  }
}
