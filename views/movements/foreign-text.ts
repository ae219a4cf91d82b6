// Puts a foreign movement into words: who declared it, when and why. Pure.
import type { ForeignMovement } from '../../operations/movements/find-records.ts'

/** Names and reasons are unescaped. The caller makes them printable. */
export function foreignText({ kind, id, word }: ForeignMovement): string {
  const declared =
    word === undefined
      ? 'the journal claims this movement for others, by no word of a person'
      : `${word.by} declared this movement to be somebody else's at ${word.at}: ${word.because}`
  return `${id} (${kind}): ${declared}; no intent of this journal has it`
}
