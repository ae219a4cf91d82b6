// `sluice events dead-letters list`: events and starts that had no effect, oldest first, each with its reason. Deletes
// nothing.

import { printableJson } from '../../../core/printable.ts'
import { ageText, letterFacts } from '../../../operations/events/find-letter.ts'
import type { Column } from '../../../operations/words/column.ts'
import { type KeptLetter, MOST_LETTERS } from '../../../place/events/dead-letter-queue.ts'
import { withEventConnection } from '../../../place/events/event-connection.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../../place/words/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, readLimit } from '../../terminal/listing.ts'

export interface ListLettersFlags extends ConnectionFlags, ListFlags {
  readonly limit?: string
}

const DEFAULT_LETTERS = 100

const columns: readonly Column<KeptLetter>[] = [
  { title: 'age', text: ({ ageSeconds }) => ageText(ageSeconds) },
  { title: 'id', text: ({ asked }) => asked.id },
  { title: 'type', text: ({ asked }) => asked.detailType },
  { title: 'source', text: ({ asked }) => asked.source, cutTo: 16 },
  { title: 'reason', text: ({ reason }) => reason, isDetail: true },
  { title: 'letter', text: ({ letterId }) => letterId, isId: true },
]

/** @throws OperationError: exit 2 for a wrong limit, exit 1 where nothing serves */
export async function listDeadLetters(flags: ListLettersFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, columns)
  const limit = readLimit(flags.limit, { usual: DEFAULT_LETTERS, most: MOST_LETTERS })
  const { letters, hasMore, hidden } = await withEventConnection(flags, 'queue', context, ({ deadLetters }) =>
    deadLetters.look(limit),
  )
  if (output.json) output.data(printableJson({ letters: letters.map(letterFacts), hasMore, hidden }))
  else if (letters.length > 0 || flags.csv === true) printList(columns, letters, flags, context)
  if (letters.length === 0) output.note('no dead letters')
  if (hasMore) output.note(`these are ${letters.length}; there are more: --limit N shows N of them`)
  if (hidden > 0) output.note(`not shown, because another command is reading them: ${hidden}`)
  const [first] = letters
  if (first !== undefined) output.next([commandIn(`events dead-letters show ${first.letterId}`, flags)])
  return ExitCode.Done
}
