// Describes the commands as plain data, as far as a completion needs them. The data is kept between commands, because the
// definitions take longer to load than a person who types should wait. Pure.
import type { Command } from 'commander'

export interface OptionOutline {
  readonly long: string
  readonly short: string
  readonly what: string
  readonly hasValue: boolean
  /** Whether the value is the name of a file or a folder. */
  readonly isPath: boolean
  readonly choices?: readonly string[] | undefined
}

export interface CommandOutline {
  readonly name: string
  readonly what: string
  readonly options: readonly OptionOutline[]
  /** Names of the operands, in order. */
  readonly operands: readonly string[]
  readonly commands: readonly CommandOutline[]
}

export function outlineOf(command: Command): CommandOutline {
  return {
    name: command.name(),
    what: command.description(),
    options: command.options.map(({ argChoices, description, flags, long, required, short }) => ({
      long: long ?? '',
      short: short ?? '',
      what: description,
      hasValue: required,
      isPath: /<(file|dir)>/.test(flags),
      choices: argChoices,
    })),
    operands: command.registeredArguments.map((operand) => operand.name()),
    commands: command.commands.map(outlineOf),
  }
}
