// Answers a completion from the definitions of the commands, and keeps their outline for the next completions.
import type { Command } from 'commander'
import { withdrawingKinds } from '../../../core/policies/setups.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { keep, outlineOf } from './kept-outline.ts'
import { complete } from './words.ts'

export async function completeFirst(words: readonly string[], program: Command, { stdout, variables }: CommandContext) {
  const known = { program: outlineOf(program), withdrawingKinds }
  keep(known)
  await complete(words, known, { write: (text) => void stdout.write(text), variables })
}
