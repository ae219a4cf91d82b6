// Assembles the `sluice` command: its commands, in the order of the help. A definition loads a command's code only when
// the command runs, so that help and mistakes are answered at once.
import type { Command } from 'commander'
import type { ExitCode } from '../operations/exit-code.ts'
import { EXAMPLE, INVOCATION } from '../operations/words/command-line.ts'
import { addApproveAndReject } from './approve/command.ts'
import { addBooks } from './books/command.ts'
import { addCases } from './cases/command.ts'
import { addConsole } from './console/command.ts'
import { addCosts } from './costs/command.ts'
import { addEvents } from './events/command.ts'
import { addHaltAndResume } from './halt/command.ts'
import { addJournal } from './journal/command.ts'
import { addKeys } from './keys/command.ts'
import { addLogs } from './logs/command.ts'
import { addMovements } from './movements/command.ts'
import { addPayouts } from './payouts/command.ts'
import { addPeople } from './people/command.ts'
import { addPlan } from './plan/command.ts'
import { addPolicies } from './policies/command.ts'
import { addProof } from './proof/command.ts'
import { addRun } from './run/command.ts'
import { addRuns } from './runs/command.ts'
import { addServe } from './serve/command.ts'
import { addService } from './service/command.ts'
import { addSetup } from './setup/command.ts'
import { addStatement } from './statement/command.ts'
import { type AddCommand, type EndWith, quietCommand, runCommand } from './terminal/commander.ts'
import type { CommandContext } from './terminal/context.ts'
import { addWhoami } from './whoami/command.ts'

const commands: readonly AddCommand[] = [
  addRun,
  addPayouts,
  addPlan,
  addPolicies,
  addRuns,
  addMovements,
  addStatement,
  addBooks,
  addCosts,
  addLogs,
  addApproveAndReject,
  addHaltAndResume,
  addCases,
  addPeople,
  addServe,
  addConsole,
  addEvents,
  addService,
  addJournal,
  addProof,
  addKeys,
  addWhoami,
  addSetup,
]

/** Runs one command to its end. @returns the exit code of the process */
export function runProgram(context: CommandContext): Promise<ExitCode> {
  return runCommand(
    context,
    (program) => helpFor(program, context.argv),
    (endWith) => buildProgram(context, endWith),
  )
}

export function buildProgram(context: CommandContext, endWith: EndWith): Command {
  const program = quietCommand('sluice', context)
    .description('Runs treasury operations that move money at most once, on one machine.')
    .addHelpText('before', `Example:\n  ${EXAMPLE}\n`)
  for (const add of commands) add(program, context, endWith)
  return program
}

/** The help that a mistake refers to: that of the deepest known command. */
function helpFor(program: Command, argv: readonly string[]): string {
  const words = [INVOCATION]
  let at = program
  for (const word of argv) {
    const next = at.commands.find((command) => command.name() === word)
    if (next === undefined && !word.startsWith('-')) break
    if (next === undefined) continue
    words.push(word)
    at = next
  }
  return [...words, '--help'].join(' ')
}
