// Defines `sluice deploy`: options and help. Its code is loaded when it runs.

import type { Command } from 'commander'
import { INVOCATION } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import type { DeployFlags } from './arguments.ts'

export const addDeploy: AddCommand = (program, context, endWith) => {
  program
    .command('deploy')
    .description('show what would change on AWS, ask, and deploy it')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
    .option('--yes', 'do not ask: needed where there is no terminal. Deploys only where the changes were shown')
    .option('--first', 'with --yes: also deploy where nothing is deployed that the file could be compared with')
    .allowExcessArguments()
    .addHelpText('before', `Example:\n  ${INVOCATION} deploy --config live-treasury.json\n`)
    .addHelpText('after', HELP)
    .action(async (flags: DeployFlags, { args }: Command) =>
      endWith(await (await import('./deploy.ts')).deploy(args, flags, context)),
    )
}

const HELP = `
Deploys the app of the CDK in this directory. Options of cdk deploy come last, after --, such as:
  ${INVOCATION} deploy -- --profile live
It stops where AWS cannot be asked what is deployed. Exit codes: 0 deployed; 1 not deployed; 2 wrong usage or
configuration; 130 interrupted.`
