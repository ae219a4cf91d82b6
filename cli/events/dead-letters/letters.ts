// `sluice events dead-letters list` and `show`: events and starts that had no effect, each with its reason and whether
// it can be put again. `dead-letters resend` puts the event of a letter on the bus again, and `drop` deletes a letter,
// after consent.

import { dropLetter } from '../../../operations/events/drop-letter.ts'
import { ageText, findLetter, letterFacts } from '../../../operations/events/find-letter.ts'
import { resendLetter } from '../../../operations/events/resend-letter.ts'
import { resendable } from '../../../operations/events/resendable.ts'
import { shownDetail } from '../../../operations/events/shown-detail.ts'
import type { Column } from '../../../operations/words/column.ts'
import { factText } from '../../../operations/words/request-words.ts'
import { type KeptLetter, MOST_LETTERS } from '../../../place/events/dead-letter-queue.ts'
import { withEventConnection } from '../../../place/events/event-connection.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import type { ConnectionFlags } from '../../../place/next-step.ts'
import { resentText } from '../../../views/result-view.ts'
import { printable } from '../../../views/text/shown.ts'
import { recordLines } from '../../../views/text/table.ts'
import type { DecisionFlags } from '../../terminal/consent.ts'
import { askingAt } from '../../terminal/consent-apart.ts'
import type { CommandContext } from '../../terminal/context.ts'
import {
  assertListFlags,
  isWatched,
  type ListFlags,
  printList,
  readLimit,
  screenWidth,
} from '../../terminal/listing.ts'

/** @throws OperationError (exit 1) for an unknown letter, or where nothing serves */
export async function showDeadLetter(id: string, flags: ConnectionFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { letter, can } = await withEventConnection(flags, 'queue', context, async (connection) => {
    const found = await findLetter(id, connection)
    return { letter: found, can: resendable(found.asked, connection.account, connection.treasury.policies) }
  })
  const { account, eventId, time, detail } = letter.asked
  const { shown, withheld } = shownDetail(detail)
  const facts = {
    ...letterFacts(letter),
    account,
    eventId,
    time,
    detail: shown,
    withheld,
    canResend: 'event' in can,
    ...('why' in can ? { whyNot: can.why, instead: can.instead } : { execution: can.start.name }),
  }
  if (isWatched(context)) for (const line of linesOf(facts, screenWidth(context))) output.data(line)
  else output.facts(facts)
  const verbs = 'event' in can ? (['resend-letter', 'drop-letter'] as const) : (['drop-letter'] as const)
  output.next(verbs.map((verb) => ({ do: verb, id: letter.letterId }) as const))
  return ExitCode.Done
}

interface Facts extends ReturnType<typeof letterFacts> {
  readonly account: string | undefined
  readonly eventId: string | undefined
  readonly time: string | undefined
  readonly detail: Readonly<Record<string, unknown>>
  readonly withheld: readonly string[]
  readonly canResend: boolean
  readonly whyNot?: string
  readonly instead?: string
  readonly execution?: string
}

function linesOf(facts: Facts, width: number): readonly string[] {
  const { ageSeconds, detail, detailType, reason, sentAt, withheld, canResend, whyNot, instead, execution } = facts
  const again = canResend ? `yes, as execution ${execution}` : `no: ${whyNot}; ${instead}`
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['letter', facts.letter],
    ['id', facts.id],
    ['type', detailType],
    ['source', facts.source],
    ['account', facts.account],
    ['event', facts.eventId],
    ['put at', facts.time],
    ['kept at', `${sentAt}, ${ageText(ageSeconds)} ago`],
    ['reason', reason],
    ['asks for', factText(detail)],
    ['not shown', withheld.join(', ')],
    ['can be resent', again],
  ]
  const columns = rows.map(([title, text = '']) => ({ title, text: () => text }))
  return recordLines(columns, undefined, width)
}

interface ListLettersFlags extends ConnectionFlags, ListFlags {
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
  if (output.json) output.facts({ letters: letters.map(letterFacts), hasMore, hidden })
  else if (letters.length > 0 || flags.csv === true) printList(columns, letters, flags, context)
  if (letters.length === 0) output.note('no dead letters')
  if (hasMore) output.note(`these are ${letters.length}; there are more: --limit N shows N of them`)
  if (hidden > 0) output.note(`not shown, because another command is reading them: ${hidden}`)
  const [first] = letters
  if (first !== undefined) output.next([{ do: 'show-letter', id: first.letterId }])
  return ExitCode.Done
}

/** @throws OperationError (exit 1) for an unknown letter, or an event that cannot be put from here */
export async function resendDeadLetter(id: string, flags: ConnectionFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const sent = await resendLetter(id, flags, context)
  const { stateMachine, name: execution } = sent.start
  const facts = { ...letterFacts(sent.letter), eventId: sent.eventId, stateMachine, execution }
  if (output.json) output.facts(facts)
  else output.data(resentText(sent))
  output.next([{ do: 'show-movement', id: execution }, { do: 'list-letters' }])
  return ExitCode.Done
}

/** @throws OperationError: exit 2 for missing consent, exit 1 for an unknown letter */
export async function dropDeadLetter(
  id: string,
  flags: ConnectionFlags & DecisionFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { output } = context
  const { letter, about, dropped } = await dropLetter(id, flags, flags, askingAt(flags, context), context)
  const { shown: detail } = shownDetail(letter.asked.detail)
  if (output.json) output.facts({ ...letterFacts(letter), detail, dropped })
  else output.data(`dropped: ${about}, letter ${printable(letter.letterId)}`)
  output.next([{ do: 'list-letters' }])
  return ExitCode.Done
}
