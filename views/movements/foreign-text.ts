// The words for a movement that is claimed for others: who declared it, when and why. Pure.
import type { ForeignMovement } from '../../operations/movements/find-asked.ts'

/** Names and reasons are as they were given: to be made printable where it is shown. */
export function foreignText({ kind, id, word }: ForeignMovement): string {
  const declared =
    word === undefined
      ? 'the journal claims this movement for others, by no word of a person'
      : `${word.by} declared this movement to be others' business at ${word.at}: ${word.because}`
  return `${id} (${kind}): ${declared}; no intent of this journal has it`
}
