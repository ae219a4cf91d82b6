// `sluice release`: a person's word that what runs of a policy left on their way belongs to others from now on. No
// later run carries it on. It records who decided, when and why. It sends nothing.
import type { PolicyRecord } from '../../core/runs/record/policy-record.ts'
import { withJournalTarget } from '../target/journal/journal-target.ts'
import { assertPolicyName } from '../target/named-policy.ts'
import { CommandError } from '../terminal/command-error.ts'
import { commandIn, type TargetFlags } from '../terminal/command-line.ts'
import { type DecisionFlags, readName, readReason } from '../terminal/consent.ts'
import { withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { printable, printableJson } from '../terminal/table.ts'

export interface ReleaseFlags extends TargetFlags, DecisionFlags {}

/** @throws CommandError: exit 2 for flags and missing consent, exit 1 where there is nothing to release */
export async function release(policy: string, flags: ReleaseFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  assertPolicyName(policy, flags)
  const by = readName(flags.by, variables)
  const because = readReason(flags.because)
  const released = await withConsent(flags, context, (consent) =>
    withJournalTarget(flags, context, async ({ policyRecords }) => {
      const record = await policyRecords.find(policy)
      const { residues = {} } = record
      if (Object.keys(residues).length === 0) throw nothingLeft(policy, flags)
      consent.to(`release what runs of ${policy} left on their way (${textOf(record)}), for good?`)
      const word = { by, because, at: new Date(clock.nowMs()).toISOString(), residues }
      await policyRecords.advance(record, { residues: {}, released: word })
      return word
    }),
  )
  output.data(output.json ? printableJson({ policy, released }) : `released: what runs of ${policy} left on their way`)
  output.next([commandIn('attention', flags)])
  return ExitCode.Done
}

function textOf({ residues = {} }: PolicyRecord): string {
  return Object.entries(residues)
    .map(([key, amount]) => printable(`${amount} ${key}`))
    .join(', ')
}

function nothingLeft(policy: string, flags: ReleaseFlags): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `runs of ${policy} left nothing on their way; nothing was recorded`,
    next: commandIn('attention', flags),
  })
}
