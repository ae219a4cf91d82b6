// Defines `sluice movements show` and `sluice runs show`, which are the same command: either finds anything by any id. Its code
// is loaded when it runs.

import { type AddCommand, command } from '../terminal/commander.ts'
import { JOURNAL, WIDE } from '../terminal/options.ts'

/** `example`: the noun, and the id in the example of the help. */
export const addShow = (noun: string, exampleId: string): AddCommand =>
  command({
    name: 'show',
    what: 'show a request, by any id: each attempt, what moved, and why; for a run its plan and legs',
    operands: [['<id>', 'the id as given, or that of an intent, a run, an execution, an order or a withdrawal']],
    options: [
      ...JOURNAL,
      ...WIDE,
      ['--kind <kind>', 'convert, withdraw or run, where several have this id'],
      ['--sentences', 'describe in sentences what happened, and why'],
      ['--after <key>', 'continue where the search through a long journal was cut off'],
    ],
    example: `${noun} show ${exampleId}`,
    help: `Runs and movements have the same command: either finds both. Exit codes: those of what is shown.
  0    done, or under way
  1    not done, and certain; or the id is unknown
  2    no id, or several things have this id: --kind says which
  3    needs a person
  4    waits for approval
  5    does not tie out`,
    load: async () => (await import('./show.ts')).show,
  })
