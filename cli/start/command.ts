// Defines the command behind `npm start`: options and help. The tour's code is loaded when it runs.

import { PROFILES } from '@sluice/service-sandbox'
import { type Command, Option } from 'commander'
import type { ExitCode } from '../../place/exit-code.ts'
import { type EndWith, quietCommand, runCommand } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { TourFlags } from './tour.ts'

function buildStart(context: CommandContext, endWith: EndWith): Command {
  return quietCommand('npm start --', context)
    .description(
      'A rebalance, a sweep and a conversion of a deposit, on this machine against the built-in sandbox, and the proof that they tie out.',
    )
    .option('--state <dir>', 'where it keeps its state, new each time (default: .sluice) [SLUICE_STATE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
    .addOption(
      new Option('--profile <name>', 'how the built-in sandbox behaves, such as hostile (default: prompt)').choices(
        Object.keys(PROFILES),
      ),
    )
    .addHelpText('before', 'Example:\n  npm start\n')
    .addHelpText(
      'after',
      '\nExit codes: 0 it ties out; 5 it does not; 1 it could not be done; 2 wrong usage or configuration.',
    )
    .action(async (flags: TourFlags) => {
      const { runTour } = await import('./tour.ts')
      endWith(await runTour(flags, context))
    })
}

/** Parses the arguments of this process, and runs the tour. */
export function runStart(context: CommandContext): Promise<ExitCode> {
  return runCommand(
    context,
    () => 'npm start -- --help',
    (endWith) => buildStart(context, endWith),
  )
}
