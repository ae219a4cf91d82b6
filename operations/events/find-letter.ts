// Finds one dead letter by its own id or by the id of its event, and describes it in words and as JSON.

import { printable } from '../../core/printable.ts'
import { askingText, type DeadLetter } from '../../place/events/dead-letter.ts'
import { type DeadLetters, type KeptLetter, MOST_LETTERS } from '../../place/events/dead-letter-queue.ts'
import type { EventConnection } from '../../place/events/event-connection.ts'
import type { Advice } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'

/** @throws OperationError (exit 1) where the id is unknown or ambiguous */
export async function findLetter(
  id: string,
  { deadLetters }: Pick<EventConnection, 'deadLetters'>,
): Promise<KeptLetter> {
  const look = await deadLetters.look(MOST_LETTERS)
  const own = look.letters.find(({ letterId }) => letterId === id)
  const [first, ...others] = own === undefined ? look.letters.filter(({ asked }) => asked.id === id) : [own]
  if (first === undefined) throw noLetter(id, look)
  if (others.length === 0) return first
  const ids = [first, ...others].slice(0, MOST_NAMED).map(({ letterId }) => letterId)
  const rest = others.length + 1 > ids.length ? `, and ${others.length + 1 - ids.length} more` : ''
  throw failed(
    `${others.length + 1} letters are of an event with the id ${printable(id)}: ${ids.join(', ')}${rest}`,
    'name one by its own id',
  )
}

const MOST_NAMED = 10

export function noLetter(id: string, { hasMore, hidden }: Pick<DeadLetters, 'hasMore' | 'hidden'>) {
  const list = { do: 'list-letters' } as const
  if (hidden > 0) {
    const message = `no dead letter ${printable(id)} is visible; ${hidden} are hidden, because somebody else is reading them`
    return failed(message, 'run the same command again: within a minute all are visible')
  }
  const among = hasMore ? ` among the ${MOST_LETTERS} that were read` : ''
  return failed(`neither a dead letter nor its event has the id ${printable(id)}${among}`, list)
}

function failed(message: string, next: Advice): OperationError {
  return failedWith('refused', message, next)
}

/** `Conversion Requested, id a-1, source payroll`, for a line of the terminal. */
export function letterText({ asked }: DeadLetter): string {
  return printable(askingText(asked))
}

export function letterFacts({ letterId, asked: { id, source, detailType }, reason, sentAt, ageSeconds }: KeptLetter) {
  return { letter: letterId, id, source, detailType, reason, sentAt, ageSeconds }
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** `3 d`, `5 h`, `12 min`, `40 s`. */
export function ageText(seconds: number): string {
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? ['s', 1]
  return `${Math.floor(seconds / size)} ${unit}`
}
