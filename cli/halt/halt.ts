// `sluice halt` and `sluice resume`: the switch in the journal that every send reads right before it is armed.
import { EVERYTHING } from '../../core/journal/halts.ts'
import { withJournalTarget } from '../target/journal/journal-target.ts'
import { assertKnownPolicy, assertPolicyName } from '../target/named-policy.ts'
import { commandIn, type TargetFlags } from '../terminal/command-line.ts'
import { readName, readReason } from '../terminal/consent.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { printableJson } from '../terminal/table.ts'

export interface HaltFlags extends TargetFlags {
  readonly policy?: string
  readonly because?: string
  readonly by?: string
}

/** @throws CommandError (exit 2) for an unknown policy, or a person without a name */
export function halt(flags: HaltFlags, context: CommandContext): Promise<ExitCode> {
  return throwSwitch(flags, true, context)
}

export function resume(flags: HaltFlags, context: CommandContext): Promise<ExitCode> {
  return throwSwitch(flags, false, context)
}

async function throwSwitch(flags: HaltFlags, halted: boolean, context: CommandContext): Promise<ExitCode> {
  const { output, clock, variables } = context
  if (flags.policy !== undefined) assertPolicyName(flags.policy)
  const scope = flags.policy ?? EVERYTHING
  const by = readName(flags.by, variables)
  const because = flags.because === undefined ? 'no reason was given' : readReason(flags.because)
  const record = { scope, by, because, at: new Date(clock.nowMs()).toISOString() }
  await withJournalTarget(flags, context, async (target) => {
    if (scope !== EVERYTHING) await assertKnownPolicy(scope, target, clock.nowMs())
    if (halted) return target.halts.halt(record)
    // A renamed policy may be halted under its old name, because a breaker may have halted it before.
    const was = Object.hasOwn(target.treasury.policies, scope) ? target.treasury.policies[scope]?.was : undefined
    if (was !== undefined) await target.halts.resume({ ...record, scope: was })
    return target.halts.resume(record)
  })
  const what = scope === EVERYTHING ? 'everything' : `policy ${scope}`
  output.data(output.json ? printableJson({ ...record, halted }) : `${halted ? 'halted' : 'resumed'}: ${what}`)
  if (halted) output.note('what is sent already goes on; what is not waits, until its own time runs out')
  const policy = flags.policy === undefined ? '' : ` --policy ${scope}`
  const look = commandIn('attention', flags)
  output.next(halted ? [commandIn(`resume${policy}`, flags), look] : [look])
  return ExitCode.Done
}
