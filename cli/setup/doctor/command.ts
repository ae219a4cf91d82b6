// Defines `sluice setup doctor`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../../terminal/command-line.ts'
import { type AddCommand, collect, withServiceOptions } from '../../terminal/commander.ts'
import { withListOptions } from '../../terminal/listing.ts'
import type { DoctorFlags } from './doctor.ts'

export const addDoctor: AddCommand = (setup, context, endWith) => {
  const command = setup.command('doctor').description('check whether a set-up would work, and say what to do where not')
  withServiceOptions(command)
    .option('--aws', 'the deployed set-up: service, secrets and table of treasury.json, by the AWS SDK')
    .option('--before-deploy', 'with --aws: only what would keep treasury.json from being deployed')
    .option('--after-deploy', 'with --aws: whether the deployment works; probes signatures, and lets schedules start')
    .option('--convert <market>', "with --after-deploy and a test key: converts the market's minimum once")
    .option('--probe-signing', 'ask whether signing works, by signed requests that can move nothing')
    .option('--contact <id=asset@network>', 'a contact and what is sent to it; may be repeated', collect)
    .option('--asset <code>', 'an asset that is used; may be repeated', collect)
    .option('--market <id>', 'a market that is used; may be repeated', collect)
  withListOptions(command)
    .addHelpText(
      'before',
      `Example:\n  ${INVOCATION} setup doctor --service https://api.example.com --keys keys.json\n`,
    )
    .addHelpText(
      'after',
      `
Each check is a line: ok, warn or fail, and what to do. --after-deploy uses the deployed file.
Where the keys are good it records that in the journal, with their account: until then schedules start nothing. It
moves nothing without --convert. Exit codes:
  0    nothing fails
  1    something fails
  2    wrong usage
  3    with --convert: the conversion was begun, and its end is unknown
  5    with --convert: what moved does not tie out`,
    )
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import('./doctor.ts')
      endWith(await runDoctor(flags, context))
    })
}
