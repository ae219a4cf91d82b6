// Lifts, after an outage, every halt by a breaker that tripped because runs did not settle. Halts by people, and
// breakers that tripped over a fall in value, have other reasons. They are listed apart, and lifted only on request.

import type { Halt } from '../../core/journal/halts.ts'
import { isFallTrip } from '../../core/runs/settle/breaker.ts'
import type { WithConsent } from '../../place/consent.ts'
import type { Notes, OperationContext } from '../../place/context.ts'
import { readReason, readWho } from '../../place/decider.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { HaltAccess } from '../../place/journal/journal-parts.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import { advice, type ConnectionFlags, option } from '../../place/next-step.ts'
import { operationErrorOf } from '../../place/operation-error.ts'
import { haltedText, isBreaker, scopeText } from '../words/halt-words.ts'
import type { NamedRun } from '../words/run-name.ts'
import { findDecided } from './carry-on.ts'
import { atOnce, type SwitchInput } from './switch-sending.ts'

interface ResumeAllInput extends Omit<SwitchInput, 'policy'> {
  /** Also lifts halts by people, and breakers that tripped over a fall in value. */
  readonly halts?: true
}

interface NotLifted {
  readonly scope: string
  readonly why: string
}

export interface AllResumed {
  readonly resumed: readonly Halt[]
  /** Halts that another person has to resume too. */
  readonly waits: readonly Halt[]
  readonly failed: readonly NotLifted[]
  /** Halts in force afterwards; undefined where they could not be read. */
  readonly still: readonly Halt[] | undefined
  /** Whether it bypassed the function that records who asked. Nobody has checked the name then. */
  readonly isDirect: boolean
  readonly by: string
  /** The runs that people decided on during a halt, and that no halt holds any more. */
  readonly decided: readonly NamedRun[]
}

/** @throws OperationError: exit 2 for a person without a name; and what `withConsent` throws */
export async function resumeAllSending(
  asked: ResumeAllInput,
  flags: ConnectionFlags,
  withConsent: WithConsent,
  context: OperationContext,
): Promise<AllResumed> {
  const { clock, output, variables } = context
  const by = readWho({ ...flags, ...asked }, variables)
  const because = asked.because === undefined ? 'no reason was given' : readReason(asked.because)
  // The work repeats after the answer. The question is shown again only where it has changed.
  let shown: string | undefined
  const done = await withConsent((consent) =>
    withJournalConnection(
      flags,
      context,
      async (connection) => {
        const halts = await connection.haltsInForce()
        const lifted = halts.filter((halt) => asked.halts === true || isOfOutage(halt))
        const question = questionOf(lifted)
        if (shown !== question) noteHalts(halts, lifted, output)
        shown = question
        if (lifted.length === 0) return { resumed: [], waits: [], failed: [], still: halts, decided: [] }
        consent.to(question)
        const at = new Date(clock.nowMs()).toISOString()
        const each = await liftEach(lifted, { by, because, at }, connection)
        // The switches are thrown already, so a failure to read the other halts or the runs is ignored.
        const decided = each.resumed.length === 0 ? [] : findDecided(connection, clock.nowMs()).catch(() => [])
        return { ...each, still: await connection.haltsInForce().catch(() => undefined), decided: await decided }
      },
      atOnce(asked),
    ),
  )
  return { ...done, by, isDirect: asked.directly === true }
}

/** 1 where a halt could not be lifted, and 4 where another person has to resume it too. */
export function resumeAllExitCode({ failed, waits }: AllResumed): ExitCode {
  if (failed.length > 0) return ExitCode.Failed
  return waits.length > 0 ? ExitCode.AwaitsApproval : ExitCode.Done
}

/** Whether the breaker counted runs. It trips when the service does not answer for long enough. */
function isOfOutage(halt: Halt): boolean {
  return isBreaker(halt) && !isFallTrip(halt)
}

/** Names each halt and when it came into force, so a breaker that trips while a person reads needs a new answer. */
function questionOf(lifted: readonly Halt[]): string {
  return `resume ${lifted.map(({ scope, at }) => `${scopeText(scope)} (halted ${at})`).join(', ')}?`
}

function noteHalts(halts: readonly Halt[], lifted: readonly Halt[], output: Notes): void {
  if (halts.length === 0) output.note('nothing is halted')
  for (const halt of lifted) output.note(`to resume: ${haltedText(halt)}`)
  const others = halts.filter((halt) => !lifted.includes(halt))
  for (const halt of others) output.note(`stays halted: ${haltedText(halt)}`)
  if (others.length > 0) {
    output.note(
      advice`these were halted for a reason of their own: resume each by its command, or add ${option('halts')} to resume them too`,
    )
  }
}

/** Reports an error in the result, so that the others are still lifted. */
async function liftEach(
  lifted: readonly Halt[],
  decision: Omit<Halt, 'scope'>,
  { halts }: Pick<HaltAccess, 'halts'>,
): Promise<Pick<AllResumed, 'resumed' | 'waits' | 'failed'>> {
  const resumed: Halt[] = []
  const waits: Halt[] = []
  const failed: NotLifted[] = []
  for (const halt of lifted) {
    try {
      const { isLifted } = await halts.resume({ ...decision, scope: halt.scope }, [halt])
      if (isLifted) resumed.push(halt)
      else waits.push(halt)
    } catch (error) {
      failed.push({ scope: halt.scope, why: operationErrorOf(error).message })
    }
  }
  return { resumed, waits, failed }
}
