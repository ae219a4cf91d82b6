// The `sluice` command: its words, flags and help. Loads a command's own module only when that
// command runs, so that help and mistakes are answered at once.
import type { Command } from 'commander'
import { EXAMPLE, INVOCATION } from './command-line.ts'
import { quietCommand, runCommand } from './commander.ts'
import type { CommandContext } from './context.ts'
import { addDoctorCommand } from './doctor/doctor-command.ts'
import type { ExitCode } from './exit-code.ts'
import { addKeysCommands } from './keys/keys-words.ts'
import { addReadingCommands } from './reading/reading-commands.ts'
import { readings } from './reading/reading-words.ts'
import type { Flags } from './settings.ts'

/** Flags of `sluice run convert`, as commander gives them. */
export interface RunConvertFlags extends Flags {
  readonly input?: string
  readonly id?: string
}

/** Runs one command to its end and says with which exit code the process should end. */
export function runProgram(context: CommandContext): Promise<ExitCode> {
  return runCommand(context, helpFor(context.argv), (endWith) => buildProgram(context, endWith))
}

/** The help that a mistake is answered with: that of the command, where its first word is known. */
function helpFor([first = '']: readonly string[]): string {
  if (first === 'run') return `${INVOCATION} run convert --help`
  const isKnown = first === 'doctor' || first === 'keys' || readings.some(({ name }) => name === first)
  return isKnown ? `${INVOCATION} ${first} --help` : `${INVOCATION} --help`
}

function buildProgram(context: CommandContext, endWith: (code: ExitCode) => void): Command {
  const program = quietCommand('sluice', context)
    .description('Runs treasury operations that move money at most once, on one machine.')
    .addHelpText('before', `Example:\n  ${EXAMPLE}\n`)
  const run = program
    .command('run')
    .description('run one operation to its end')
    .addHelpText('before', `Example:\n  ${EXAMPLE}\n`)
  run
    .command('convert')
    .description('convert one asset into another: exactly one order, or a certified zero')
    .option('--input <file>', 'what to convert, as JSON; - reads standard input')
    .option('--id <id>', 'names the run: the same id gives the first result again, also after a crash')
    .option('--service <url>', 'address of a service (default: the built-in sandbox) [SLUICE_SERVICE]')
    .option('--keys <file>', 'key file for that service, as JSON; - reads standard input [SLUICE_KEYS]')
    .option('--state <dir>', 'where runs are remembered; one directory an account (default: .sluice) [SLUICE_STATE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
    .addHelpText('before', `Example:\n  echo '${EXAMPLE_INPUT}' > convert.json\n  ${EXAMPLE}\n`)
    .addHelpText('after', `\n${RESULT_HELP}`)
    .action(async (flags: RunConvertFlags) => {
      const { runConvert } = await import('./run-convert.ts')
      endWith(await runConvert(flags, context))
    })
  addReadingCommands(program, context, endWith)
  addDoctorCommand(program, context, endWith)
  addKeysCommands(program, context, endWith)
  return program
}

const EXAMPLE_INPUT = '{"baseAsset":"BTC","quoteAsset":"USDC","side":"BUY","amountAsset":"BTC","amount":"0.25"}'
const RESULT_HELP = `Prints one JSON object: outcome, intentId, orderId, market, side, rate, baseAmount, quoteAmount, fills, attempts,
and why, where the outcome is not FILLED. Exit codes:
  0    filled
  1    refused or failed, and nothing is in doubt
  2    wrong usage, input, configuration or keys; nothing was sent
  3    needs a person; do not try again under another id
  130  interrupted; the same command with the same --id goes on
npm writes a banner of its own before the result: npm run -s leaves it out.`
