// Defines `sluice deploy`. Its code is loaded when it runs.

import type { Command } from 'commander'
import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, command } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import { CONFIG } from '../terminal/options.ts'
import type { DeployFlags } from './arguments.ts'

export const addDeploy: AddCommand = (program, ...given) => {
  const added: Command = command({
    name: 'deploy',
    what: 'show what would change on AWS, ask, and deploy it',
    options: [
      CONFIG,
      ['--yes', 'do not ask: needed where there is no terminal. Deploys only where the changes were shown'],
      ['--first', 'with --yes: also deploy where nothing is deployed that the file could be compared with'],
    ],
    example: 'deploy --config live-treasury.json',
    help: `Deploys the app of the CDK in this directory. Options of cdk deploy come last, after --, such as:
  ${INVOCATION} deploy -- --profile live
It stops where AWS cannot be asked what is deployed. Exit codes: 0 deployed; 1 not deployed; 2 wrong usage or
configuration; 130 interrupted.`,
    load: async () => {
      const { deploy } = await import('./deploy.ts')
      return (flags: DeployFlags, context: CommandContext) => deploy(added.args, flags, context)
    },
  })(program, ...given).allowExcessArguments()
  return added
}
