// After an outage, lifts every halt of a breaker that tripped over runs which did not settle. A halt by a person, and a
// breaker that tripped over a fall in value, have reasons that the end of an outage does not touch: they are noted apart,
// and lifted only where that is asked for.

import type { Halt } from '../../core/journal/halts.ts'
import { isFallTrip } from '../../core/runs/settle/breaker.ts'
import { type JournalConnection, withJournalConnection } from '../connection/journal/journal-connection.ts'
import type { WithConsent } from '../consent.ts'
import type { Notes, OperationContext } from '../context.ts'
import { readReason, readWho } from '../decider.ts'
import { ExitCode } from '../exit-code.ts'
import { operationErrorOf } from '../operation-error.ts'
import type { ConnectionFlags } from '../words/command-line.ts'
import { haltedText, isBreaker, scopeText } from '../words/halt-words.ts'
import { type AskedSwitch, atOnce } from './switch-sending.ts'

export interface AskedResumeAll extends Omit<AskedSwitch, 'policy'> {
  /** Also what people halted, and breakers that tripped over a fall in value. */
  readonly halts?: true
}

/** One that was not lifted, although it was asked for. */
interface NotLifted {
  readonly scope: string
  readonly why: string
}

export interface AllResumed {
  readonly resumed: readonly Halt[]
  /** Another person must say the same of these. */
  readonly waits: readonly Halt[]
  readonly failed: readonly NotLifted[]
  /** In force when it was done; undefined where that was not found out. */
  readonly still: readonly Halt[] | undefined
  /** Past the function that records who asked: nobody has checked who says it. */
  readonly isDirect: boolean
  readonly by: string
}

/** @throws OperationError: exit 2 for a person without a name; and what `withConsent` throws */
export async function resumeAllSending(
  asked: AskedResumeAll,
  flags: ConnectionFlags,
  withConsent: WithConsent,
  context: OperationContext,
): Promise<AllResumed> {
  const { clock, output, variables } = context
  const by = readWho({ ...flags, ...asked }, variables)
  const because = asked.because === undefined ? 'no reason was given' : readReason(asked.because)
  // What is asked again after an answer is shown anew only where it has changed.
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
        if (lifted.length === 0) return { resumed: [], waits: [], failed: [], still: halts }
        consent.to(question)
        const at = new Date(clock.nowMs()).toISOString()
        const each = await liftEach(lifted, { by, because, at }, connection)
        // What else is halted cannot fail switches that are thrown already.
        return { ...each, still: await connection.haltsInForce().catch(() => undefined) }
      },
      atOnce(asked),
    ),
  )
  return { ...done, by, isDirect: asked.directly === true }
}

/** 1 where one could not be lifted, and 4 where another person must say the same. */
export function resumeAllExitCode({ failed, waits }: AllResumed): ExitCode {
  if (failed.length > 0) return ExitCode.Failed
  return waits.length > 0 ? ExitCode.AwaitsApproval : ExitCode.Done
}

/** A breaker that counted runs: it trips where the service does not answer for long enough. */
function isOfOutage(halt: Halt): boolean {
  return isBreaker(halt) && !isFallTrip(halt)
}

/** Names each, with when it came into force: one that trips while a person reads is asked about anew. */
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
      'these were halted for a reason of their own: resume each by its command, or add --halts to resume them too',
    )
  }
}

/** One that cannot be lifted keeps none of the others. */
async function liftEach(
  lifted: readonly Halt[],
  word: Omit<Halt, 'scope'>,
  { halts }: Pick<JournalConnection, 'halts'>,
): Promise<Pick<AllResumed, 'resumed' | 'waits' | 'failed'>> {
  const resumed: Halt[] = []
  const waits: Halt[] = []
  const failed: NotLifted[] = []
  for (const halt of lifted) {
    try {
      const { isLifted } = await halts.resume({ ...word, scope: halt.scope }, [halt])
      if (isLifted) resumed.push(halt)
      else waits.push(halt)
    } catch (error) {
      failed.push({ scope: halt.scope, why: operationErrorOf(error).message })
    }
  }
  return { resumed, waits, failed }
}
