// The `sluice` command: its words, flags and help. Loads a command's own module only when that
// command runs, so that help and mistakes are answered at once.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Command, CommanderError } from 'commander'
import { commandErrorOf, usageError } from './command-error.ts'
import { EXAMPLE, INVOCATION } from './command-line.ts'
import type { CommandContext } from './context.ts'
import { ExitCode } from './exit-code.ts'
import type { Flags } from './settings.ts'
import { rootDir } from './settings.ts'

/** Flags of `sluice run convert`, as commander gives them. */
export interface RunConvertFlags extends Flags {
  readonly input?: string
  readonly id?: string
}

/** Runs one command to its end and says with which exit code the process should end. */
export async function runProgram(context: CommandContext): Promise<ExitCode> {
  let exitCode: ExitCode = ExitCode.Done
  const program = buildProgram(context, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync([...context.argv], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.Done
    const failure = error instanceof CommanderError ? mistakeOf(error) : commandErrorOf(error)
    context.output.failure(failure)
    return failure.exitCode
  }
}

function buildProgram(context: CommandContext, endWith: (code: ExitCode) => void): Command {
  const program = quietCommand('sluice', context)
    .description('Runs treasury operations that move money at most once, on one machine.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--json', 'errors as one JSON object, and no progress')
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
  return program
}

const EXAMPLE_INPUT = '{"baseAsset":"BTC","quoteAsset":"USDC","side":"BUY","amountAsset":"BTC","amount":"0.25"}'
const RESULT_HELP = `Prints one JSON object: outcome, intentId, orderId, market, side, rate, baseAmount, quoteAmount, fills, attempts.
Exit codes: 0 filled; 1 refused or failed, nothing in doubt; 2 wrong usage, input, configuration or keys;
3 needs a person (do not retry under another id); 130 interrupted (the same command with the same --id goes on).`

/** Subcommands inherit this: commander may neither print nor exit by itself. */
function quietCommand(name: string, { output, stdout }: CommandContext): Command {
  return new Command(name)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Help that is shown because a command is missing. Mistakes are told by `mistakeOf`.
      writeErr: (text) => output.note(text.trimEnd()),
      outputError: () => {},
    })
    .configureHelp({ showGlobalOptions: true })
}

function mistakeOf(error: CommanderError) {
  if (error.code === 'commander.help') {
    return usageError('usage', 'expected a command; got none', `${INVOCATION} run convert --help`)
  }
  // "error: unknown option '--inptu'\n(Did you mean --input?)": commander already names the nearest.
  const message = error.message.replace(/^error: /, '').replace(/\n\(Did (.*)\)$/, '; did $1')
  return usageError('usage', message, `${INVOCATION} run convert --help`)
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(rootDir, 'package.json'), 'utf8')) as { version: string }
  return version
}
