// Sets up commander for all commands, and ends a command. Commander must neither print a mistake nor exit by itself.
// A command and a noun are defined by what their help shows, and by the work that is loaded when they run.

import { Command, CommanderError, Option } from 'commander'
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
import type { OptionRow } from './options.ts'
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

/** Adds a command, or two related ones. */
export type AddCommand<Added = unknown> = (parent: Command, context: CommandContext, endWith: EndWith) => Added

/** The parts of a command that its help shows. */
interface Shown {
  readonly name: string
  /** In the list of commands, where that differs from `what`. */
  readonly summary?: string
  readonly what: string
  /** Without the name of the program. */
  readonly example: string
  /** A line of a shell before the example. */
  readonly prepare?: string
  readonly help?: string
}

export interface CommandDefinition extends Shown {
  /** Whether its noun, called alone, runs it. */
  readonly isDefault?: true
  readonly operands?: readonly OptionRow[]
  readonly options?: readonly (OptionRow | Option)[]
  /** Loads the work, which is called with the operands, the flags and the context. */
  readonly load: () => Promise<(...given: never[]) => Promise<ExitCode>>
}

/** A command is known at once, and its work is loaded when it runs. */
export function command(definition: CommandDefinition): AddCommand<Command> {
  const { operands = [], options = [], load } = definition
  return (parent, context, endWith) => {
    const added = addShown(parent, definition)
    for (const [form, what] of operands) added.argument(form, what)
    for (const row of options) {
      if (row instanceof Option) added.addOption(row)
      // Commander takes a way to read the value, or the value of an option that is not given.
      else added.option(...(row as [string, string, string?]))
    }
    return added.action(async (...given: readonly unknown[]) => {
      const run = (await load()) as (...words: readonly unknown[]) => Promise<ExitCode>
      endWith(await run(...given.slice(0, operands.length + 1), context))
    })
  }
}

/**
 * A command that only holds others. Called alone, it runs its `list`, if `list` is the default. Otherwise it is refused
 * with its help.
 */
export function noun(shown: Shown, commands: readonly AddCommand[]): AddCommand<Command> {
  return (parent, context, endWith) => {
    // Without this, commander would take an unknown word for an argument of the default command.
    const added = addShown(parent, shown).hook('preSubcommand', refuseUnknownWord)
    for (const add of commands) add(added, context, endWith)
    return added
  }
}

function addShown(
  parent: Command,
  { name, summary, what, prepare, example, help, ...own }: Shown & { readonly isDefault?: true },
): Command {
  const added = parent
    .command(name, { isDefault: own.isDefault === true })
    .description(what)
    .addHelpText('before', `Example:\n${prepare === undefined ? '' : `  ${prepare}\n`}  ${INVOCATION} ${example}\n`)
  if (summary !== undefined) added.summary(summary)
  return help === undefined ? added : added.addHelpText('after', `\n${help}`)
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
