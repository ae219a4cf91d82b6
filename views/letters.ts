// Says what became of a dead letter. Pure.
import { printable } from '../core/printable.ts'
import type { ResentLetter } from '../operations/events/resend-letter.ts'

export function resentText({ about, letter, start }: ResentLetter): string {
  return `${about} is on the bus again, and letter ${printable(letter.letterId)} is deleted; it begins ${start.name}, unless that was begun before`
}
