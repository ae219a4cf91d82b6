// Sets up commander for all commands, and ends a command. Commander must neither print a mistake nor exit by itself.
// Adds the options that several commands share: the service to ask with its keys, the journal to read, and consent.

import { Command, CommanderError, type Option } from 'commander'
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import { ownRelease } from '../../place/context.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { followProxy } from '../../place/forward-proxy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { type OperationError, operationErrorOf, usageError } from '../../place/operation-error.ts'
import { asMaintenance } from '../../place/words/maintenance.ts'
import { wrapHelp } from '../../views/text/wrap.ts'
import { INVOCATION } from './command-line.ts'
import type { CommandContext } from './context.ts'
import { columnsOf } from './output.ts'

/** Columns. A wider line is hard to read. */
const WIDEST_HELP = 100

export function quietCommand(name: string, { output, stdout }: CommandContext): Command {
  const helpWidth = Math.min(columnsOf(stdout), WIDEST_HELP)
  return (
    new Command(name)
      .exitOverride()
      .configureOutput({
        writeOut: (text) => stdout.write(wrapHelp(text, helpWidth)),
        getOutHelpWidth: () => helpWidth,
        getErrHelpWidth: () => helpWidth,
        // Help that is shown because a command is missing. `runCommand` reports mistakes.
        writeErr: (text) => {
          for (const line of wrapHelp(text.trimEnd(), helpWidth).split('\n')) output.note(line)
        },
        outputError: () => {},
      })
      // The line of -h says the same as a line of the command `help`, which still works.
      .configureHelp({ showGlobalOptions: true, visibleCommands: ({ commands }) => [...commands] })
      .version(ownRelease(), '-V, --version', 'print the version')
      .helpOption('-h, --help', 'print this help')
      .option('--json', 'data and errors as JSON, and no progress')
      .hook('preAction', (_program, command) =>
        output.running({
          flags: command.optsWithGlobals<ConnectionFlags>(),
          takesKeys: command.options.some(({ long }) => long === '--keys'),
        }),
      )
  )
}

export type EndWith = (code: ExitCode) => void

/** Adds the definition of one command, or of two related commands. */
export type AddCommand = (program: Command, context: CommandContext, endWith: EndWith) => void

interface Noun {
  readonly name: string
  readonly description: string
  /** Without the name of the program. */
  readonly example: string
  readonly help?: string
}

/**
 * Adds a command that only holds others. Called alone, it runs its `list`, if `list` is added as the default. Otherwise it is
 * refused with its help.
 */
export function addNoun(parent: Command, { name, description, example, help }: Noun): Command {
  const noun = parent
    .command(name)
    .description(description)
    .addHelpText('before', `Example:\n  ${INVOCATION} ${example}\n`)
    // Without this, commander would take an unknown word for an argument of the default command.
    .hook('preSubcommand', refuseUnknownWord)
  return help === undefined ? noun : noun.addHelpText('after', `\n${help}`)
}

function refuseUnknownWord(noun: Command): void {
  const [first = '-'] = noun.args
  const names = noun.commands.map((known) => known.name())
  if (first.startsWith('-') || [...names, 'help'].includes(first)) return
  noun.error(unknownText(first, names))
}

function unknownText(word: string, names: readonly string[]): string {
  return `error: unknown command '${word}'${nearestHint(word, names)}`
}

/** Runs a command to its end. `helpOf` gives the command line that shows its help. @returns the exit code */
export async function runCommand(
  context: CommandContext,
  helpOf: (command: Command) => string,
  build: (endWith: EndWith) => Command | Promise<Command>,
): Promise<ExitCode> {
  let exitCode: ExitCode = ExitCode.Done
  let command: Command | undefined
  try {
    followProxy(context.variables)
    const built = await build((code) => {
      exitCode = code
    })
    command = built.addHelpText('beforeAll', refuseUnknown)
    await command.parseAsync(asOptions(command, context.argv), { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and the version have been printed.
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.Done
    const failure =
      command !== undefined && error instanceof CommanderError
        ? mistakeOf(error, helpOf(command))
        : asMaintenance(operationErrorOf(error))
    context.output.failure(failure)
    return failure.exitCode
  }
}

const HELP: ReadonlySet<string> = new Set(['-h', '--help'])

/**
 * Commander takes the word after an option with a value as that value, even if the word is an option: `serve --state --help`
 * would make a directory of that name. A following help option is obeyed; any other option is refused.
 * @throws OperationError (exit 2)
 */
function asOptions(command: Command, argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const known = everyOption(command)
  const withValue = new Set(known.filter(({ required }) => required).map(({ long }) => long))
  for (let at = 1; at < end; at += 1) {
    const [option = '', value = ''] = argv.slice(at - 1, at + 1)
    if (!withValue.has(option)) continue
    if (HELP.has(value)) return argv.filter((_, index) => index !== at - 1)
    if (/^--./.test(value)) {
      const next = `give ${option} its value; one that begins with -- is given as ${option}=VALUE`
      throw usageError('usage', `${option}: expected a value; got the option ${value}`, next)
    }
  }
  return [...argv]
}

function everyOption(command: Command): readonly Option[] {
  return [...command.options, ...command.commands.flatMap(everyOption)]
}

/** Refuses an unknown command. Commander would answer `nothing --help` with the help of the command above it. */
function refuseUnknown({ command }: { readonly command: Command }): string {
  const [first = '', second = ''] = command.args
  const asked = first === 'help' ? second : first
  const names = command.commands.map((known) => known.name())
  const isGroup = names.length > 0 && command.registeredArguments.length === 0
  if (!isGroup || asked === '' || asked.startsWith('-') || [...names, 'help'].includes(asked)) return ''
  return command.error(unknownText(asked, names))
}

function mistakeOf(error: CommanderError, help: string): OperationError {
  if (error.code === 'commander.help') return usageError('usage', 'expected a command; got none', help)
  // "error: unknown option '--inptu'\n(Did you mean --input?)": commander suggests the nearest option.
  const message = error.message.replace(/^error: /, '').replace(/\n\(Did (.*)\)$/, '; did $1')
  return usageError('usage', message, help)
}

/** Adds --service, --keys, --state and --config, for a command that asks a service. */
export function withServiceOptions(command: Command): Command {
  return command
    .option('--service <url>', 'address of a service (default: the built-in sandbox) [SLUICE_SERVICE]')
    .option('--keys <file>', 'key file for that service, as JSON; - reads standard input [SLUICE_KEYS]')
    .option('--state <dir>', 'the state directory of the built-in sandbox (default: .sluice) [SLUICE_STATE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
}

/** Adds --aws, --state, --service and --config, for a command that reads a journal. */
export function withJournalOptions(command: Command): Command {
  return command
    .option('--aws', "the deployed journal, by the AWS SDK's own configuration, instead of a state directory")
    .option('--state <dir>', 'the state directory (default: .sluice) [SLUICE_STATE]')
    .option('--service <url>', 'the service whose runs are meant (default: the built-in sandbox) [SLUICE_SERVICE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
}

/** Adds --yes and --no-input, for a command that asks for consent before it records something. */
export function withConsentOptions(command: Command): Command {
  return command.option('--yes', 'do not ask').option('--no-input', 'never ask: without --yes nothing is recorded')
}

/** Collects the values of an option that may be given more than once. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value]
