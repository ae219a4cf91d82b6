// Suggests how to complete a half-written command: a command, an option, the value of an option, or the name of a policy.
// All suggestions come from the definitions of the commands. Pure.
import type { Command, Option } from 'commander'
import { withdrawingKinds } from '../../../core/policies/setups.ts'
import { printable } from '../../../core/printable.ts'
import type { NamedKind } from './policy-names.ts'

interface Suggestion {
  readonly word: string
  readonly what: string
}

export interface Suggestions {
  readonly suggestions: readonly Suggestion[]
  /** Whether the name of a file may follow too. */
  readonly orFile: boolean
}

/** The line that tells a shell's script that a file name may follow. */
export const FILES = ':files'

const NOTHING: Suggestions = { suggestions: [], orFile: false }

/** The last word is being typed, and may be empty. */
export function suggestionsFor(
  words: readonly string[],
  program: Command,
  policies: () => readonly NamedKind[],
): Suggestions {
  const current = words.at(-1) ?? ''
  const { command, operands, awaiting } = walk(words.slice(0, -1), program)
  const found =
    awaiting !== undefined
      ? valuesOf(awaiting, policies)
      : current.startsWith('-')
        ? optionsOf(command, program)
        : operandsOf(command, operands, policies)
  return { ...found, suggestions: found.suggestions.filter(({ word }) => word.startsWith(current)).map(safe) }
}

interface Place {
  readonly command: Command
  /** Number of operands of the command so far. */
  readonly operands: number
  /** The option whose value comes next. */
  readonly awaiting: Option | undefined
}

function walk(words: readonly string[], program: Command): Place {
  let place: Place = { command: program, operands: 0, awaiting: undefined }
  for (const word of words) {
    const { command, operands, awaiting } = place
    if (awaiting !== undefined) {
      place = { command, operands, awaiting: undefined }
      continue
    }
    if (word.startsWith('-')) {
      const known = [...ownOptions(command), ...program.options]
      const option = known.find(({ long, short }) => word === long || word === short)
      place = { command, operands, awaiting: option?.required === true ? option : undefined }
      continue
    }
    const next = command.commands.find((subcommand) => subcommand.name() === word)
    place = { command: next ?? command, operands: next === undefined ? operands + 1 : 0, awaiting: undefined }
  }
  return place
}

/** A noun without a subcommand lists, so the options of its `list` may follow it. */
function ownOptions({ options, commands }: Command): readonly Option[] {
  return [...options, ...(commands.find((subcommand) => subcommand.name() === 'list')?.options ?? [])]
}

function optionsOf(command: Command, program: Command): Suggestions {
  const known = [...ownOptions(command), ...(command === program ? [] : program.options)]
  const named = known.flatMap(({ long, description }) => (long ? [{ word: long, what: description }] : []))
  return { suggestions: [...named, { word: '--help', what: 'print this help' }], orFile: false }
}

function valuesOf({ flags, argChoices, long }: Option, policies: () => readonly NamedKind[]): Suggestions {
  if (argChoices !== undefined) return only(argChoices.map((word) => ({ word, what: '' })))
  if (long === '--policy') return only(named(policies()))
  return { ...NOTHING, orFile: /<(file|dir)>/.test(flags) }
}

function operandsOf(command: Command, operands: number, policies: () => readonly NamedKind[]): Suggestions {
  const commands = command.commands.map((subcommand) => ({ word: subcommand.name(), what: subcommand.description() }))
  const wanted = command.registeredArguments[operands]?.name()
  if (wanted === 'file') return { suggestions: commands, orFile: true }
  if (wanted === 'shell') return only(['bash', 'zsh', 'fish'].map((word) => ({ word, what: '' })))
  if (wanted !== 'policy') return only(commands)
  const isRun = command.parent?.name() === 'run'
  const isSweep = command.name() === 'sweep'
  const fitting = policies().filter(
    ({ kind }) => !isRun || withdrawingKinds.some((known) => known === kind) === isSweep,
  )
  return { suggestions: named(fitting), orFile: isRun }
}

function named(policies: readonly NamedKind[]): Suggestion[] {
  return policies.map(({ name, kind }) => ({ word: name, what: `policy, ${kind}` }))
}

function only(suggestions: readonly Suggestion[]): Suggestions {
  return { suggestions, orFile: false }
}

/** A name comes from a file of the user, and the shell reads it as a line. */
function safe({ word, what }: Suggestion): Suggestion {
  return { word: printable(word), what: printable(what) }
}
