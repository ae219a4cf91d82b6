// Owns the terms of an intent: the request, what a step settled, and until when it may be sent. The step that settles
// them passes their hash to the step that sends, without the journal. A writer of records cannot change the state of an
// execution.
import { type IntentKind, IntentState } from '../contract/records.ts'
import { Transient } from '../errors.ts'
import { hashParams } from '../params-hash.ts'
import type { Intent, IntentOf } from './intent.ts'
import type { Journal, NewIntent } from './journal.ts'
import { type Move, settleMove } from './moves.ts'

/** SHA-256 as hex, over everything that decides a send. */
export function termsHashOf({ params, frozen, notAfter }: Pick<Intent, 'params' | 'frozen' | 'notAfter'>): string {
  return hashParams({ params, frozen, notAfter })
}

/**
 * Opens an intent with its terms, or directly at `end`. `known`: its existing record, if it is READY. Its terms are
 * then settled again, because this execution does not know who wrote the record.
 * @throws Refused, Transient, Defect as the journal's writes do
 */
export async function settleIntent<Kind extends IntentKind>(
  known: IntentOf<Kind> | undefined,
  opening: NewIntent<Kind>,
  end: Move | undefined,
  journal: Journal,
): Promise<IntentOf<Kind>> {
  if (known === undefined) return openAsSettled(opening, end, journal)
  const { frozen, notAfter } = opening
  const isAsKnown = end === undefined && termsHashOf({ ...known, frozen, notAfter }) === termsHashOf(known)
  return isAsKnown ? known : journal.advance(known, { ...settleMove(known, { frozen, notAfter }), ...end })
}

/**
 * Opens the intent. Throws if another execution opened it with other terms, because its writer is unknown to this one.
 */
async function openAsSettled<Kind extends IntentKind>(
  opening: NewIntent<Kind>,
  end: Parameters<Journal['open']>[1],
  journal: Journal,
): Promise<IntentOf<Kind>> {
  const opened = await journal.open(opening, end)
  const { frozen, notAfter } = opening
  const isAsSettled = termsHashOf({ ...opened, frozen, notAfter }) === termsHashOf(opened)
  if (opened.state === IntentState.Ready && !isAsSettled)
    throw new Transient(`another execution opened intent ${opened.intentId} meanwhile, with other terms`)
  return opened
}

/**
 * The time until which it may be sent: as requested, otherwise the end of its life (epoch ms, service time). An
 * existing record may shorten the time, but never extend it.
 */
export function settledNotAfter(
  { notAfter }: { readonly notAfter?: string | undefined },
  lifeEndMs: number,
  known: Intent | undefined,
): string {
  if (notAfter !== undefined) return notAfter
  return new Date(Math.min(lifeEndMs, Date.parse(known?.notAfter ?? '') || lifeEndMs)).toISOString()
}
