// The words of `sluice doctor`; what it looks at is in doctor.ts.
import type { Command } from 'commander'
import { withServiceOptions } from '../target/options.ts'
import type { Flags } from '../target/settings.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { ExitCode } from '../terminal/exit-code.ts'
import type { ReferenceFlags } from './references.ts'

export interface DoctorFlags extends Flags, ReferenceFlags {
  readonly aws?: boolean
  readonly probeSigning?: boolean
}

const collect = (value: string, before: readonly string[] = []) => [...before, value]

export function addDoctorCommand(program: Command, context: CommandContext, endWith: (code: ExitCode) => void): void {
  const command = program.command('doctor').description('say whether a set-up would work, and what to do where not')
  withServiceOptions(command)
    .option('--aws', 'the deployed set-up: service, secrets and table of treasury.json, by the AWS SDK')
    .option('--probe-signing', 'ask whether signing works, by signed requests that can move nothing')
    .option('--contact <id=asset@network>', 'a contact and what is sent to it; may be repeated', collect)
    .option('--asset <code>', 'an asset that is used; may be repeated', collect)
    .option('--market <id>', 'a market that is used; may be repeated', collect)
    .addHelpText('before', `Example:\n  ${INVOCATION} doctor --service https://api.example.com --keys keys.json\n`)
    .addHelpText(
      'after',
      '\nOne line a check: ok, warn or fail, and what to do. Exit codes: 0 nothing fails; 1 something does; 2 wrong usage.',
    )
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import('./doctor.ts')
      endWith(await runDoctor(flags, context))
    })
}
