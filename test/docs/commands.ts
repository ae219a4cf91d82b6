// Finds the command in a text, such as `cases resolve` in `cases resolve INTENT --none`, and the places where the
// source names commands.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { everyCommand, wordsOf } from '../unit/cli/every-command.ts'
import { ROOT } from './pages.ts'

const commands = await everyCommand()
const program = commands[0]?.parent ?? undefined

/** The words of the command, or undefined. A noun alone is a command; an unknown word after a noun is not. */
export function commandNamed(text: string): string | undefined {
  const found = findCommand(text)
  return found && wordsOf(found)
}

/** Options of the command that the text begins with, such as `--config`. A noun has those of its list. */
export function flagsOf(text: string): readonly string[] {
  const found = findCommand(text)
  const list = found && isNoun(found) ? found.commands.find((one) => one.name() === 'list') : undefined
  const longOf = (command: Command | undefined) => (command?.options ?? []).flatMap(({ long }) => long ?? [])
  return [...longOf(found), ...longOf(list), ...longOf(program), '--help']
}

function findCommand(text: string): Command | undefined {
  let at: Command | undefined
  for (const word of text.split(/\s+/)) {
    const next: Command | undefined = (at ?? program)?.commands.find((one) => one.name() === word)
    const isName = /^[a-z][a-z-]*$/.test(word) && (at === undefined || isNoun(at))
    if (next === undefined && isName) return undefined
    if (next === undefined) break
    at = next
  }
  return at
}

/** Nouns hold commands only, so the next word is a command or an option. */
export const isNoun = ({ commands: below, registeredArguments }: Command) =>
  below.length > 0 && registeredArguments.length === 0

export const nouns = (program?.commands ?? []).filter(isNoun).map((noun) => noun.name())

interface Named {
  readonly file: string
  readonly what: string
}

const SOURCES = ['cli', 'operations', 'place', 'views', 'console', 'functions', 'infra', 'core', 'bench'] as const
/** Words that may follow "sluice" in a sentence. */
const PROSE: readonly string[] = ['is', 'for', 'found']
/** Up to an id, an option, the end of a text, or a placeholder. */
const WORDS = /^[a-z][a-z-]*(?: [a-z][a-z-]*)*/

/** Every command in a hint, a help text, a comment, an alarm, a notice or a page of the console. */
export function namedInSource(): readonly Named[] {
  return SOURCES.flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: ROOT })).flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return namedIn(text).map((what) => ({ file, what }))
  })
}

export function namedIn(text: string): readonly string[] {
  const behindTheName = [...text.matchAll(/(?:\bsluice |\$\{INVOCATION\} )(?=[a-z])/g)]
    .map(({ index, 0: found }) => text.slice(index + found.length))
    .filter((rest) => !PROSE.includes(rest.split(/[^a-z-]/)[0] ?? ''))
  const calls = [...text.matchAll(/\bcommand(?:In|With|NeedingKeys)\(|\bcommands: \[/g)]
  const literals = calls.flatMap(({ index, 0: found }) =>
    literalsIn(firstPart(text.slice(index + found.length), found.endsWith('['))),
  )
  return [...behindTheName, ...literals].flatMap((words) => WORDS.exec(words)?.[0] ?? [])
}

/** The first argument of a call, or all arguments of a list. */
function firstPart(text: string, isList: boolean): string {
  let depth = 0
  for (const [at, char] of [...text].entries()) {
    if ('([{'.includes(char)) depth += 1
    if (')]}'.includes(char)) depth -= 1
    if (depth < 0 || (char === ',' && depth === 0 && !isList)) return text.slice(0, at)
  }
  return text
}

/** String literals, except those that are compared with something. */
function literalsIn(code: string): string[] {
  const all = code.matchAll(/(=== )?(?:"([^"]*)"|'([^']*)'|`([^`]*))/g)
  return [...all].flatMap(([, compared, ...texts]) => (compared ? [] : texts.filter((one) => one !== undefined)))
}
