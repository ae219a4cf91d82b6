// The `sluice` command: its words, flags and help. Loads a command's own module only when that
// command runs, so that help and mistakes are answered at once.
import type { Command } from 'commander'
import { ATTENTION_WORDS, addAttentionCommands } from './attention/command.ts'
import { addDoctorCommand } from './doctor/command.ts'
import { addInitCommand } from './init/command.ts'
import { addKeysCommands } from './keys/command.ts'
import { addPolicyCommands, POLICY_WORDS } from './policies/command.ts'
import { addReadingCommands } from './query/command.ts'
import { readings } from './query/queries.ts'
import { addReconcileCommand } from './reconcile/command.ts'
import { addRunCommands } from './run/command.ts'
import { addServeCommand } from './serve/command.ts'
import { EXAMPLE, INVOCATION } from './terminal/command-line.ts'
import { quietCommand, runCommand } from './terminal/commander.ts'
import type { CommandContext } from './terminal/context.ts'
import type { ExitCode } from './terminal/exit-code.ts'

/** Runs one command to its end and says with which exit code the process should end. */
export function runProgram(context: CommandContext): Promise<ExitCode> {
  return runCommand(context, helpFor(context.argv), (endWith) => buildProgram(context, endWith))
}

/** The help that a mistake is answered with: that of the command, where its first word is known. */
function helpFor([first = '']: readonly string[]): string {
  if (first === 'run') return `${INVOCATION} run convert --help`
  const isKnown =
    ['doctor', 'init', 'keys', 'reconcile', 'serve', ...ATTENTION_WORDS, ...POLICY_WORDS].includes(first) ||
    readings.some(({ name }) => name === first)
  return isKnown ? `${INVOCATION} ${first} --help` : `${INVOCATION} --help`
}

function buildProgram(context: CommandContext, endWith: (code: ExitCode) => void): Command {
  const program = quietCommand('sluice', context)
    .description('Runs treasury operations that move money at most once, on one machine.')
    .addHelpText('before', `Example:\n  ${EXAMPLE}\n`)
  addRunCommands(program, context, endWith)
  addPolicyCommands(program, context, endWith)
  addServeCommand(program, context, endWith)
  addAttentionCommands(program, context, endWith)
  addReadingCommands(program, context, endWith)
  addReconcileCommand(program, context, endWith)
  addDoctorCommand(program, context, endWith)
  addInitCommand(program, context, endWith)
  addKeysCommands(program, context, endWith)
  return program
}
