// Describes the commands as plain data, as far as a completion needs them, and keeps it beside the compiled sources
// for the next completion. The definitions take longer to load than a person who types should wait. The outline is
// valid until a source of the command line changes. A cache that cannot be read or written only costs time.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'

const CLI = path.resolve(import.meta.dirname, '../..')
/** In the package, the bundle. */
const SOURCES = existsSync(CLI) ? CLI : path.resolve(CLI, '../dist')
const FOLDER = path.resolve(SOURCES, '../node_modules/.cache')
const FILE = path.join(FOLDER, 'commands.json')

export interface KnownCommands {
  readonly program: CommandOutline
  /** The kinds of policies that `run sweep` carries out. */
  readonly withdrawingKinds: readonly string[]
}

export function findKept(): KnownCommands | undefined {
  try {
    const { of, known } = JSON.parse(readFileSync(FILE, 'utf8'))
    return of === version() ? known : undefined
  } catch {
    return undefined
  }
}

export function keep(known: KnownCommands): void {
  try {
    mkdirSync(FOLDER, { recursive: true })
    // Renamed, so that no other completion reads half of it.
    const draft = `${FILE}.${process.pid}`
    writeFileSync(draft, JSON.stringify({ of: version(), known }))
    renameSync(draft, FILE)
  } catch {
    // Somebody else owns the checkout.
  }
}

/** Changes with each source of the command line. */
function version(): string {
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const newest = Math.max(...files.map(({ name, parentPath }) => statSync(path.join(parentPath, name)).mtimeMs))
  return `${files.length} ${newest}`
}

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
