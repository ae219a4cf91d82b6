// `sluice events dead-letters show`: the request of one letter, why it had no effect, and whether it can be put again.
// Deletes nothing.

import { printableJson } from '../../../core/printable.ts'
import { ageText, findLetter, letterFacts } from '../../../operations/events/find-letter.ts'
import { resendable } from '../../../operations/events/resendable.ts'
import { shownDetail } from '../../../operations/events/shown-detail.ts'
import { factText } from '../../../operations/words/request-words.ts'
import { withEventConnection } from '../../../place/events/event-connection.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../../place/words/command-line.ts'
import { recordLines } from '../../../views/text/table.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { isWatched, screenWidth } from '../../terminal/listing.ts'

export type ShowLetterFlags = ConnectionFlags

/** @throws OperationError (exit 1) for an unknown letter, or where nothing serves */
export async function showDeadLetter(id: string, flags: ShowLetterFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { letter, can } = await withEventConnection(flags, 'queue', context, async (connection) => {
    const found = await findLetter(id, connection, flags)
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
  else output.data(printableJson(facts))
  const verbs = 'event' in can ? ['resend', 'drop'] : ['drop']
  output.next(verbs.map((verb) => commandIn(`events dead-letters ${verb} ${letter.letterId}`, flags)))
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
