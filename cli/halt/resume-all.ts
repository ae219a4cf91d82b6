// `sluice resume --all`: after an outage, shows every halt in force and lifts those of breakers that tripped over runs
// which did not settle. A halt by a person, and a breaker that tripped over a fall in value, have reasons that the end of
// an outage does not touch: they are shown apart, and lifted only with --halts.
import type { Halt } from '../../core/journal/halts.ts'
import { printableJson } from '../../core/printable.ts'
import { isFallTrip } from '../../core/runs/settle/breaker.ts'
import { type JournalTarget, withJournalTarget } from '../../operations/connection/journal/journal-target.ts'
import { readReason, readWho } from '../../operations/decider.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { operationErrorOf, usageError } from '../../operations/operation-error.ts'
import { commandIn, commandWith } from '../../operations/words/command-line.ts'
import { haltedText, isBreaker, resumeCommand, scopeText, waitsText } from '../../operations/words/halt-words.ts'
import type { ConsentFlags } from '../terminal/consent.ts'
import { withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { atOnce, type HaltFlags, noteWord } from './halt.ts'

export interface ResumeFlags extends HaltFlags, ConsentFlags {
  readonly all?: true
  readonly halts?: true
}

/** One that was not lifted, although it was asked for. */
interface Failed {
  readonly scope: string
  readonly why: string
}

interface Resumed {
  readonly resumed: readonly Halt[]
  /** Another person must say the same of these. */
  readonly waits: readonly Halt[]
  readonly failed: readonly Failed[]
  /** In force when it was done; undefined where that was not found out. */
  readonly still: readonly Halt[] | undefined
}

/** Exits with 1 where one could not be lifted, and with 4 where another person must say the same. @throws OperationError: exit 2 for flags and missing consent */
export async function resumeAll(flags: ResumeFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  if (flags.policy !== undefined) {
    const next = commandIn('resume --all', flags)
    throw usageError('usage', '--all: expected it by itself; got --policy too, which names one switch', next)
  }
  const by = readWho(flags, variables)
  const because = flags.because === undefined ? 'no reason was given' : readReason(flags.because)
  // What is asked again after an answer is shown anew only where it has changed.
  let shown: string | undefined
  const { resumed, waits, failed, still } = await withConsent(flags, context, (consent) =>
    withJournalTarget(
      flags,
      context,
      async (target): Promise<Resumed> => {
        const halts = await target.haltsInForce()
        const lifted = halts.filter((halt) => flags.halts === true || isOfOutage(halt))
        const question = questionOf(lifted)
        if (shown !== question) showHalts(halts, lifted, context)
        shown = question
        if (lifted.length === 0) return { resumed: [], waits: [], failed: [], still: halts }
        consent.to(question)
        const at = new Date(clock.nowMs()).toISOString()
        const done = await liftEach(lifted, { by, because, at }, target)
        // What else is halted cannot fail switches that are thrown already.
        return { ...done, still: await target.haltsInForce().catch(() => undefined) }
      },
      atOnce(flags),
    ),
  )
  if (output.json)
    output.data(printableJson({ resumed, ...(waits.length > 0 && { waits }), failed, stillHalted: still ?? null }))
  else if (resumed.length + waits.length + failed.length === 0) output.data('nothing was resumed')
  else for (const scope of new Set(resumed.map((halt) => halt.scope))) output.data(`resumed: ${scopeText(scope)}`)
  if (!output.json) for (const scope of new Set(waits.map((halt) => halt.scope))) output.data(waitsText(scope))
  if (resumed.length + waits.length > 0) noteWord(by, flags, context)
  for (const { scope, why } of failed) output.note(`NOT resumed: ${scopeText(scope)}: ${why}`)
  for (const halt of still ?? []) output.note(`still halted: ${haltedText(halt)}`)
  if (still === undefined) output.note('whether anything is still halted was not found out')
  output.next([
    ...(failed.length > 0 ? [commandWith('resume --all', flags)] : []),
    ...(still ?? []).map(({ scope }) => resumeCommand(scope, flags)),
    commandIn('attention', flags),
  ])
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

function showHalts(halts: readonly Halt[], lifted: readonly Halt[], { output }: Pick<CommandContext, 'output'>): void {
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
  { halts }: Pick<JournalTarget, 'halts'>,
): Promise<Omit<Resumed, 'still'>> {
  const resumed: Halt[] = []
  const waits: Halt[] = []
  const failed: Failed[] = []
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
