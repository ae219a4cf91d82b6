// Suggests how to complete a half-written command: a command, an option, the value of an option, or the name of a
// policy. Suggestions come from the definitions of the commands and the policies that the caller gives. Pure.
import { printable } from '../../../views/text/shown.ts'
import type { CommandOutline, KnownCommands, OptionOutline } from './kept-outline.ts'
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
  { program, withdrawingKinds }: KnownCommands,
  policies: () => readonly NamedKind[],
): Suggestions {
  const current = words.at(-1) ?? ''
  const place = walk(words.slice(0, -1), program)
  const found =
    place.awaiting !== undefined
      ? valuesOf(place.awaiting, policies)
      : current.startsWith('-')
        ? optionsOf(place.command, program)
        : operandsOf(place, withdrawingKinds, policies)
  return { ...found, suggestions: found.suggestions.filter(({ word }) => word.startsWith(current)).map(safe) }
}

interface Place {
  readonly command: CommandOutline
  /** The command that has this command. */
  readonly parent: CommandOutline | undefined
  /** Number of operands of the command so far. */
  readonly operands: number
  /** The option whose value comes next. */
  readonly awaiting: OptionOutline | undefined
}

function walk(words: readonly string[], program: CommandOutline): Place {
  let place: Place = { command: program, parent: undefined, operands: 0, awaiting: undefined }
  for (const word of words) {
    const { command, operands, awaiting } = place
    if (awaiting !== undefined) {
      place = { ...place, awaiting: undefined }
      continue
    }
    if (word.startsWith('-')) {
      const known = [...ownOptions(command), ...program.options]
      const option = known.find(({ long, short }) => word === long || word === short)
      place = { ...place, awaiting: option?.hasValue === true ? option : undefined }
      continue
    }
    const next = command.commands.find(({ name }) => name === word)
    place =
      next === undefined
        ? { ...place, operands: operands + 1 }
        : { command: next, parent: command, operands: 0, awaiting: undefined }
  }
  return place
}

/** A noun without a subcommand lists, so the options of its `list` may follow it. */
function ownOptions({ options, commands }: CommandOutline): readonly OptionOutline[] {
  return [...options, ...(commands.find(({ name }) => name === 'list')?.options ?? [])]
}

function optionsOf(command: CommandOutline, program: CommandOutline): Suggestions {
  const known = [...ownOptions(command), ...(command === program ? [] : program.options)]
  const named = known.flatMap(({ long, what }) => (long === '' ? [] : [{ word: long, what }]))
  return { suggestions: [...named, { word: '--help', what: 'print this help' }], orFile: false }
}

function valuesOf({ choices, isPath, long }: OptionOutline, policies: () => readonly NamedKind[]): Suggestions {
  if (choices !== undefined) return only(choices.map((word) => ({ word, what: '' })))
  if (long === '--policy') return only(named(policies()))
  return { ...NOTHING, orFile: isPath }
}

function operandsOf(
  { command, operands, parent }: Place,
  withdrawingKinds: readonly string[],
  policies: () => readonly NamedKind[],
): Suggestions {
  const commands = command.commands.map(({ name, what }) => ({ word: name, what }))
  const wanted = command.operands[operands]
  if (wanted === 'file') return { suggestions: commands, orFile: true }
  if (wanted === 'shell') return only(['bash', 'zsh', 'fish'].map((word) => ({ word, what: '' })))
  if (wanted !== 'policy') return only(commands)
  const isRun = parent?.name === 'run'
  const isSweep = command.name === 'sweep'
  const fitting = policies().filter(({ kind }) => !isRun || withdrawingKinds.includes(kind) === isSweep)
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
