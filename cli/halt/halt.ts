// `sluice halt` and `sluice resume`: the switch in the journal that every send reads right before it is armed. What is
// said of it is what the journal showed: that nothing was halted, too, and what else still is.
import { EVERYTHING, type Halt } from '../../core/journal/halts.ts'
import { printable, printableJson } from '../../core/printable.ts'
import { type JournalTarget, withJournalTarget } from '../../operations/connection/journal/journal-target.ts'
import { assertKnownPolicy, assertPolicyName } from '../../operations/connection/named-policy.ts'
import { findOtherService } from '../../operations/connection/state/other-records.ts'
import { readReason, readWho } from '../../operations/decider.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { OperationError, usageError } from '../../operations/operation-error.ts'
import { commandIn, quoted, type TargetFlags } from '../../operations/words/command-line.ts'
import { haltedText, markOfHalt, resumeCommand, scopeText, waitsText } from '../../operations/words/halt-words.ts'
import type { CommandContext } from '../terminal/context.ts'

export interface HaltFlags extends TargetFlags {
  readonly policy?: string
  readonly because?: string
  readonly by?: string
  /** With --aws: without the function that records who asked. */
  readonly directly?: true
}

/** A stop waits for nothing that it does not need. */
export function atOnce({ directly }: Pick<HaltFlags, 'directly'>) {
  return { needsConfiguration: false, directly: directly === true }
}

/** Past the function nobody checks who says it: that is shown, and it is recorded so. */
export function noteWord(by: string, { directly }: HaltFlags, { output }: Pick<CommandContext, 'output'>): void {
  if (directly === true) output.note(`recorded as the word of ${printable(by)}`)
}

/** @throws OperationError (exit 2) for an unknown policy, or a person without a name */
export async function halt(flags: HaltFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  let record = readSwitch(flags, context)
  let before: readonly Halt[] | undefined
  const other = await withJournalTarget(
    flags,
    context,
    async (target) => {
      await assertKnownScope(record.scope, target, flags, context)
      // The work may begin again where a desk dies: by then its own halt is there.
      before ??= await target.halts.findOf(record.scope)
      record = { ...record, ...(await target.halts.halt(record)) }
      return otherServiceOf(target)
    },
    atOnce(flags),
  )
  const notHalted = other && { notHalted: other }
  if (output.json)
    output.data(printableJson({ ...record, halted: true, ...(before?.[0] && { before: before[0] }), ...notHalted }))
  else output.data(`halted: ${scopeText(record.scope)}${other === undefined ? '' : ' at the built-in sandbox'}`)
  for (const each of before ?? []) {
    if (each.at !== record.at) output.note(`it was halted before: ${haltedText(each)}`)
  }
  noteWord(record.by, flags, context)
  output.note('what is sent already goes on; what is not waits, until its own time runs out')
  const further = other === undefined ? [] : [haltOf(other, flags)]
  if (other !== undefined) output.note(`NOT halted: ${other}, whose records are in the same directory`)
  output.next([...further, resumeCommand(record.scope, flags), commandIn('attention', flags)])
  return ExitCode.Done
}

/** A person in a hurry names no service. */
function otherServiceOf({ embedded }: JournalTarget): string | undefined {
  return embedded && findOtherService(embedded.stateDir, embedded.serviceUrl)
}

function haltOf(service: string, { because, by, policy, ...flags }: HaltFlags): string {
  const given = Object.entries({ policy, because, by }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  )
  return `${commandIn(['halt', ...given].join(' '), { ...flags, service })}   # halts that one`
}

interface ResumeOneFlags extends HaltFlags {
  readonly halts?: true
  /** The mark of the one halt that the person has read, where a page showed it. Absent: all of the scope. */
  readonly read?: string
}

/**
 * Where nothing was halted, it changes nothing and says so, with exit 0. @throws OperationError, as `halt` does; exit 1 where
 * the halt that the person has read is not in force any more. Exits with 4 while another person must say the same.
 */
export async function resume(flags: ResumeOneFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  if (flags.halts === true) {
    throw usageError('usage', '--halts: expected --all with it; got it alone', commandIn('resume --all --halts', flags))
  }
  let record = readSwitch(flags, context)
  const lifted = new Set<string>()
  const waits = new Set<string>()
  const others = await withJournalTarget(
    flags,
    context,
    async (target) => {
      await assertKnownScope(record.scope, target, flags, context)
      for (const scope of scopesOf(record.scope, target)) {
        const inForce = await target.halts.findOf(scope)
        const found = flags.read === undefined ? inForce : inForce.filter((halt) => markOfHalt(halt) === flags.read)
        if (found.length === 0) continue
        const { isLifted, ...said } = await target.halts.resume({ ...record, scope }, found)
        record = { ...record, ...said }
        // The work may begin again where a desk dies: what was lifted then is not there any more.
        if (isLifted) lifted.add(scope)
        else waits.add(scope)
      }
      if (flags.read !== undefined && lifted.size + waits.size === 0) throw noLongerInForce(flags)
      // What else is halted cannot fail a switch that is thrown already.
      return target.haltsInForce().catch(() => undefined)
    },
    atOnce(flags),
  )
  const wasHalted = lifted.size + waits.size > 0
  const still = (others ?? []).filter(({ scope }) => !lifted.has(scope))
  const isWaiting = waits.size > 0
  if (output.json) {
    const waiting = isWaiting && { waitsForAnother: true }
    output.data(printableJson({ ...record, halted: isWaiting, wasHalted, ...waiting, stillHalted: still }))
  } else if (isWaiting) output.data(waitsText(record.scope))
  else output.data(resumedText(record.scope, wasHalted, still.length > 0))
  if (wasHalted) noteWord(record.by, flags, context)
  for (const each of still) output.note(`${wasHalted ? 'still halted' : 'halted'}: ${haltedText(each)}`)
  if (others === undefined) output.note('whether anything else is halted was not found out')
  output.next([...still.map(({ scope }) => resumeCommand(scope, flags)), commandIn('attention', flags)])
  return isWaiting ? ExitCode.AwaitsApproval : ExitCode.Done
}

function noLongerInForce({ policy: _policy, because: _because, by: _by, ...flags }: ResumeOneFlags): OperationError {
  return new OperationError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: 'the halt that was read is not in force any more; nothing was changed',
    next: `${commandIn('attention', flags)}   # what is halted now`,
  })
}

function resumedText(scope: string, wasHalted: boolean, isOtherHalted: boolean): string {
  if (wasHalted) return `resumed: ${scopeText(scope)}`
  if (scope !== EVERYTHING) return `${scopeText(scope)} was not halted by itself; nothing was changed`
  return isOtherHalted ? 'there was no halt of everything; nothing was changed' : 'nothing was halted'
}

/** A renamed policy may be halted under its old name, because a breaker may have halted it before. */
function scopesOf(scope: string, { treasury: { policies } }: JournalTarget): string[] {
  const was = Object.hasOwn(policies, scope) ? policies[scope]?.was : undefined
  return was === undefined ? [scope] : [was, scope]
}

function readSwitch(flags: HaltFlags, { clock, variables }: CommandContext): Halt {
  if (flags.policy !== undefined) assertPolicyName(flags.policy, flags)
  const by = readWho(flags, variables)
  const because = flags.because === undefined ? 'no reason was given' : readReason(flags.because)
  return { scope: flags.policy ?? EVERYTHING, by, because, at: new Date(clock.nowMs()).toISOString() }
}

async function assertKnownScope(
  scope: string,
  target: JournalTarget,
  flags: HaltFlags,
  { clock }: CommandContext,
): Promise<void> {
  if (scope !== EVERYTHING) await assertKnownPolicy(scope, target, { nowMs: clock.nowMs(), flags })
}
