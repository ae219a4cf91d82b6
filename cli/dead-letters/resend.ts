// `sluice dead-letters resend`: puts the event of a letter on the bus again, and deletes the letter once the bus has it.
// In this order, so that a crash between leaves both: the same id moves once, and nothing is lost.
import { ID_TAKEN } from '../../core/triggers/requested-start.ts'
import { withEventTarget } from '../target/events/event-target.ts'
import { CommandError } from '../terminal/command-error.ts'
import { commandIn, INVOCATION, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { noteLive } from '../terminal/live-banner.ts'
import { printable, printableJson } from '../terminal/printable.ts'
import { findStarted } from '../trigger/follow-start.ts'
import { findLetter, letterFacts, letterText, noLetter } from './find-letter.ts'
import { resendable } from './resendable.ts'

export type ResendFlags = TargetFlags

/** @throws CommandError (exit 1) where there is no such letter, or its event cannot be put from here */
export async function resendDeadLetter(id: string, flags: ResendFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const sent = await withEventTarget(flags, 'bus', context, async (target) => {
    const letter = await findLetter(id, target, flags)
    const can = resendable(letter.asked, target.account, target.treasury.policies)
    if ('why' in can) throw cannot(`${letterText(letter)}: ${can.why}`, can.instead)
    const { event, start } = can
    const known = await findStarted(target, start)
    if (known === 'other') throw cannot(`${letterText(letter)}: it would be refused again: ${ID_TAKEN}`, DROP)
    noteLive(target.treasury.service.stage, target.serviceName, output)
    const eventId = await target.deadLetters.consume(letter.letterId, () => target.put(event))
    if (eventId === undefined) throw noLetter(letter.letterId, { hasMore: false, hidden: 1 }, flags)
    return { letter, start, eventId }
  })
  const { letter, start, eventId } = sent
  const { stateMachine, name: execution } = start
  const facts = { ...letterFacts(letter), eventId, stateMachine, execution }
  output.data(
    output.json
      ? printableJson(facts)
      : `${letterText(letter)} is on the bus again, and letter ${printable(letter.letterId)} is deleted; it begins ${execution}, unless that was begun before`,
  )
  output.next([commandIn(`show ${execution}`, flags), commandIn('dead-letters list', flags)])
  return ExitCode.Done
}

const DROP = `have it put again with an id of its own; then ${INVOCATION} dead-letters drop`

function cannot(why: string, next: string): CommandError {
  const message = `${printable(why)}; nothing was put, and the letter is kept`
  return new CommandError({ exitCode: ExitCode.Failed, code: 'refused', message, next })
}
