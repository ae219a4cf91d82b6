// Assembles the `sluice` command: its commands, in the order of the help. Only the called command's definition is loaded,
// and the definition loads a command's code only when the command runs. So help and mistakes are answered at once.
import type { Command } from 'commander'
import type { ExitCode } from '../place/exit-code.ts'
import { exampleWords, INVOCATION } from './terminal/command-line.ts'
import { type AddCommand, type EndWith, quietCommand, runCommand } from './terminal/commander.ts'
import type { CommandContext } from './terminal/context.ts'

/** The definition that adds commands, and their names, in the order of the help. */
const definitions: readonly (readonly [load: () => Promise<AddCommand>, ...names: string[]])[] = [
  [async () => (await import('./start/command.ts')).addStart, 'start'],
  [async () => (await import('./run/command.ts')).addRun, 'run'],
  [async () => (await import('./payouts/command.ts')).addPayouts, 'payouts'],
  [async () => (await import('./plan/command.ts')).addPlan, 'plan'],
  [async () => (await import('./policies/command.ts')).addPolicies, 'policies'],
  [async () => (await import('./runs/command.ts')).addRuns, 'runs'],
  [async () => (await import('./movements/command.ts')).addMovements, 'movements'],
  [async () => (await import('./statement/command.ts')).addStatement, 'statement'],
  [async () => (await import('./books/command.ts')).addBooks, 'books'],
  [async () => (await import('./costs/command.ts')).addCosts, 'costs'],
  [async () => (await import('./logs/command.ts')).addLogs, 'logs'],
  [async () => (await import('./approve/command.ts')).addApproveAndReject, 'approve', 'reject'],
  [async () => (await import('./halt/command.ts')).addHaltAndResume, 'halt', 'resume'],
  [async () => (await import('./cases/command.ts')).addCases, 'cases'],
  [async () => (await import('./people/command.ts')).addPeople, 'people'],
  [async () => (await import('./serve/command.ts')).addServe, 'serve'],
  [async () => (await import('./console/command.ts')).addConsole, 'console'],
  [async () => (await import('./events/command.ts')).addEvents, 'events'],
  [async () => (await import('./service/command.ts')).addService, 'service'],
  [async () => (await import('./journal/command.ts')).addJournal, 'journal'],
  [async () => (await import('./proof/command.ts')).addProof, 'proof'],
  [async () => (await import('./keys/command.ts')).addKeys, 'keys'],
  [async () => (await import('./whoami/command.ts')).addWhoami, 'whoami'],
  [async () => (await import('./deploy/command.ts')).addDeploy, 'deploy'],
  [async () => (await import('./setup/command.ts')).addSetup, 'setup'],
]

/** Runs one command to its end. @returns the exit code of the process */
export function runProgram(context: CommandContext): Promise<ExitCode> {
  return runCommand(
    context,
    (program) => helpFor(program, context.argv),
    (endWith) => buildProgram(context, endWith, calledIn(context.argv)),
  )
}

/** `called`: the only command whose definition is loaded. Without it, and for an unknown name, all are loaded. */
export async function buildProgram(context: CommandContext, endWith: EndWith, called?: string): Promise<Command> {
  const program = quietCommand('sluice', context)
    .description('Runs treasury operations that move money at most once, on one machine.')
    .addHelpText('before', `Example:\n  ${INVOCATION} ${exampleWords('convert')}\n`)
  const own = definitions.filter(([, ...names]) => called !== undefined && names.includes(called))
  const loaded = await Promise.all((own.length > 0 ? own : definitions).map(([load]) => load()))
  for (const add of loaded) add(program, context, endWith)
  return program
}

/** No option of the program takes a value, so the first word names the command. A completion needs all commands. */
function calledIn(argv: readonly string[]): string | undefined {
  const called = argv.find((word) => !word.startsWith('-'))
  return called === 'setup' ? undefined : called
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
