// Defines `sluice start`, which `npm start` runs. The tour's code is loaded when it runs.

import { command } from '../terminal/commander.ts'

export const addStart = command({
  name: 'start',
  what: 'show policies in a sandbox of their own, and that all ties out',
  options: [
    ['--state <dir>', 'where it keeps its state, new each time (default: .sluice) [SLUICE_STATE]'],
    ['--config <file>', 'the configuration (default: treasury.json)'],
    ['--profile <name>', 'how the built-in sandbox behaves, such as hostile (default: prompt)'],
  ],
  example: 'start',
  help: `A rebalance, a sweep and a conversion of a deposit on this machine, and the proof that they tie out. Exit codes:
  0    it ties out
  1    it could not be done
  2    wrong usage or configuration
  5    it does not tie out`,
  load: async () => (await import('./tour.ts')).runTour,
})
