// The `sluice` command: the list of its commands, in the order in which help shows them. A definition loads its
// command's work only when that command runs, so that help and mistakes are answered at once.
import type { Command } from 'commander'
import type { ExitCode } from '../operations/exit-code.ts'
import { EXAMPLE, INVOCATION } from '../operations/words/command-line.ts'
import { addAgain } from './again/command.ts'
import { addApproveAndReject } from './approve/command.ts'
import { addAttention } from './attention/command.ts'
import { addCompletion } from './completion/command.ts'
import { addConsole } from './console/command.ts'
import { addDeadLetters } from './dead-letters/command.ts'
import { addDiff } from './diff/command.ts'
import { addDoctor } from './doctor/command.ts'
import { addExplain } from './explain/command.ts'
import { addForeign } from './foreign/command.ts'
import { addHaltAndResume } from './halt/command.ts'
import { addInit } from './init/command.ts'
import { addJournal } from './journal/command.ts'
import { addKeys } from './keys/command.ts'
import { addList } from './list/command.ts'
import { addLogs } from './logs/command.ts'
import { addNotices } from './notices/command.ts'
import { addPlan } from './plan/command.ts'
import { addPolicies } from './policies/command.ts'
import { addProveAndVerify } from './proof/command.ts'
import { addQueries } from './query/command.ts'
import { addReconcile } from './reconcile/command.ts'
import { addRelease } from './release/command.ts'
import { addReport } from './report/command.ts'
import { addResolve } from './resolve/command.ts'
import { addRun } from './run/command.ts'
import { addRuns } from './runs/command.ts'
import { addServe } from './serve/command.ts'
import { addShow } from './show/command.ts'
import { type AddCommand, type EndWith, quietCommand, runCommand } from './terminal/commander.ts'
import type { CommandContext } from './terminal/context.ts'
import { addTrigger } from './trigger/command.ts'
import { addWhoami } from './whoami/command.ts'

const commands: readonly AddCommand[] = [
  addRun,
  addPlan,
  addPolicies,
  addRuns,
  addList,
  addShow,
  addExplain,
  addLogs,
  addReport,
  addProveAndVerify,
  addApproveAndReject,
  addServe,
  addConsole,
  addTrigger,
  addDeadLetters,
  addNotices,
  addAttention,
  addAgain,
  addResolve,
  addForeign,
  addRelease,
  addHaltAndResume,
  addQueries,
  addReconcile,
  addJournal,
  addDiff,
  addDoctor,
  addWhoami,
  addInit,
  addKeys,
  addCompletion,
]

/** Runs one command to its end and says with which exit code the process should end. */
export function runProgram(context: CommandContext): Promise<ExitCode> {
  return runCommand(
    context,
    (program) => helpFor(program, context.argv),
    (endWith) => buildProgram(context, endWith),
  )
}

/** All definitions, of which none has done anything yet. */
export function buildProgram(context: CommandContext, endWith: EndWith): Command {
  const program = quietCommand('sluice', context)
    .description('Runs treasury operations that move money at most once, on one machine.')
    .addHelpText('before', `Example:\n  ${EXAMPLE}\n`)
  for (const add of commands) add(program, context, endWith)
  return program
}

/** The help that a mistake is answered with: that of the command, where its first word is known. */
function helpFor(program: Command, [first = '']: readonly string[]): string {
  if (first === 'run') return `${INVOCATION} run convert --help`
  const isKnown = program.commands.some((command) => command.name() === first)
  return isKnown ? `${INVOCATION} ${first} --help` : `${INVOCATION} --help`
}
