// `sluice movements list`: lists all requests, newest first, from the journal's index. Reads only.

import { firstOf, type RequestFilters, readFilter, readRows } from '../../operations/movements/list-requests.ts'
import { MOST_ROWS, type ReadRows, withEnds } from '../../operations/movements/read-rows.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { ASKED_COLUMNS } from '../../views/movements/request-columns.ts'
import { printable } from '../../views/text/shown.ts'
import { commandIn, quoted } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, readLimit } from '../terminal/listing.ts'

export interface ListRequestsFlags extends ConnectionFlags, ListFlags, RequestFilters {
  readonly limit?: string
}

const DEFAULT_ROWS = 20

/** @throws OperationError (exit 2) for a wrong filter */
export async function list(flags: ListRequestsFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, ASKED_COLUMNS)
  const filter = readFilter(flags)
  const limit = readLimit(flags.limit, { usual: DEFAULT_ROWS, most: MOST_ROWS })
  const asked = { limit, nowMs: context.clock.nowMs() }
  const { rows, shown, unreadable, goOn } = await withJournalConnection(
    flags,
    context,
    async (connection) => {
      const read = await readRows(connection, filter, asked)
      return { ...read, shown: await withEnds(firstOf(read.rows, limit), connection) }
    },
    { showsTour: true },
  )
  const hasMore = rows.length > shown.length
  if (output.json) output.facts({ asked: shown, hasMore, unreadable, ...(goOn && { goOn }) })
  else if (shown.length > 0 || flags.csv === true) printList(ASKED_COLUMNS, shown, flags, context)
  if (shown.length === 0) output.note('no request matches')
  for (const message of unreadable) output.note(`not in the list, as it cannot be read: ${printable(message)}`)
  const last = shown.at(-1)
  if (hasMore) output.note(`the newest ${shown.length}; there are more, requested before ${last?.at}`)
  const further = hasMore && last !== undefined ? { before: last.at } : goOn
  if (goOn !== undefined && !hasMore) output.note(`read back to ${goOn.before}; there may be more`)
  output.next(nextOf(flags, further, shown[0]?.id))
  return ExitCode.Done
}

function nextOf(flags: ListRequestsFlags, further: ReadRows['goOn'], newest: string | undefined): string[] {
  return [
    ...(further === undefined ? [] : [listCommand(flags, further)]),
    ...(newest === undefined
      ? []
      : [`${commandIn(`movements show ${quoted(newest)}`, connectionFlagsOf(flags))}   # any id works`]),
  ]
}

function listCommand(flags: ListRequestsFlags, further: { readonly before: string }): string {
  const { kind, outcome, since, limit, shadow } = flags
  const given = Object.entries({ kind, outcome, since, limit, ...further })
  const options = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${quoted(value)}`]))
  const words = ['movements list', ...options, ...(shadow === true ? ['--shadow'] : [])]
  return commandIn(words.join(' '), connectionFlagsOf(flags))
}

function connectionFlagsOf(flags: ListRequestsFlags): ConnectionFlags {
  const {
    kind: _kind,
    outcome: _outcome,
    since: _since,
    limit: _limit,
    before: _before,
    shadow: _shadow,
    ...rest
  } = flags
  const { wide: _wide, csv: _csv, columns: _columns, ...connectionFlags } = rest
  return connectionFlags
}
