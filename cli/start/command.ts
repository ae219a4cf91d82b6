// Defines `sluice start`, which `npm start` runs: options and help. The tour's code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import type { TourFlags } from './tour.ts'

export const addStart: AddCommand = (program, context, endWith) => {
  program
    .command('start')
    .description('show policies in a sandbox of their own, and that all ties out')
    .option('--state <dir>', 'where it keeps its state, new each time (default: .sluice) [SLUICE_STATE]')
    .option('--config <file>', 'the configuration (default: treasury.json)')
    .option('--profile <name>', 'how the built-in sandbox behaves, such as hostile (default: prompt)')
    .addHelpText('before', `Example:\n  ${INVOCATION} start\n`)
    .addHelpText('after', HELP)
    .action(async (flags: TourFlags) => {
      const { runTour } = await import('./tour.ts')
      endWith(await runTour(flags, context))
    })
}

const HELP = `
A rebalance, a sweep and a conversion of a deposit on this machine, and the proof that they tie out. Exit codes:
  0    it ties out
  1    it could not be done
  2    wrong usage or configuration
  5    it does not tie out`
