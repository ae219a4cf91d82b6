// `sluice people list`: lists what people asked for and decided, latest first. Reads only.
import { printableJson } from '../../core/printable.ts'
import { type ActFilters, readActFilter } from '../../operations/people/filter.ts'
import { peopleLogExitCode, readPeopleLog } from '../../operations/people/people-log.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import { type ConnectionFlags, commandWith } from '../../place/words/command-line.ts'
import { ACT_LIST } from '../../views/people-texts.ts'
import type { CommandContext } from '../terminal/context.ts'
import { readLimit } from '../terminal/limit-flag.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'
import { noteBroken } from './broken.ts'

export interface ListPeopleFlags extends ConnectionFlags, ListFlags, ActFilters {
  readonly limit?: string
}

const DEFAULT_ACTS = 50
const MOST_ACTS = 10_000

/** @throws OperationError (exit 2) for a wrong filter */
export async function listPeople(flags: ListPeopleFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { person, did, since, before, limit: _limit, wide, csv, columns, ...connectionFlags } = flags
  assertListFlags(flags, output, ACT_LIST)
  const filter = readActFilter(flags)
  const limit = readLimit(flags.limit, { usual: DEFAULT_ACTS, most: MOST_ACTS })
  const log = await readPeopleLog({ flags: connectionFlags, context }, filter, limit)
  const { acts, broken, brokenTotal, hasMore } = log
  if (output.json) output.data(printableJson({ acts, hasMore, broken, brokenTotal }))
  else if (acts.length > 0 || csv === true) printList(ACT_LIST, acts, flags, context)
  if (acts.length === 0) output.note('no act of a person matches')
  if (hasMore) output.note(`the latest ${acts.length}; there are more: --limit N shows N of them`)
  noteBroken(log, output)
  if (brokenTotal > 0) output.next([commandWith('journal verify', connectionFlags)])
  return peopleLogExitCode(log)
}
