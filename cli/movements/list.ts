// `sluice movements list`: lists all requests, newest first, from the journal's index. Reads only.

import { firstOf, type RequestFilters, readFilter, readRows } from '../../operations/movements/list-requests.ts'
import { MOST_ROWS, withEnds } from '../../operations/movements/read-rows.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { ASKED_COLUMNS } from '../../views/movements/request-columns.ts'
import { printable } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, readLimit } from '../terminal/listing.ts'

interface ListRequestsFlags extends ConnectionFlags, ListFlags, RequestFilters {
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
  const { kind, outcome, since, limit: most, shadow: isShadow } = flags
  const again =
    further && ({ do: 'list-movements', given: { kind, outcome, since, limit: most, ...further }, isShadow } as const)
  const [newest] = shown
  output.next([
    ...(again === undefined ? [] : [again]),
    ...(newest === undefined ? [] : [{ do: 'show-movement', id: newest.id, why: 'any id works' } as const]),
  ])
  return ExitCode.Done
}
