// The terms of an intent: what was asked for, what a step settled of it, and until when it may be sent. The step that
// settles them hands their hash to the step that sends, past the journal: whoever can write a record cannot change what an
// execution holds.
import { type IntentKind, IntentState } from '../contract/records.ts'
import { Transient } from '../errors.ts'
import { hashParams } from '../params-hash.ts'
import type { Intent, IntentOf } from './intent.ts'
import type { Journal, NewIntent } from './journal.ts'
import { type Move, settleMove } from './moves.ts'

/** SHA-256, hex, over what a send goes by. */
export function termsHashOf({ params, frozen, notAfter }: Pick<Intent, 'params' | 'frozen' | 'notAfter'>): string {
  return hashParams({ params, frozen, notAfter })
}

/**
 * Opens an intent with its terms, at `end` at once where there is one. `known`: its record, where it is there already and
 * READY. Then the terms are settled anew, because whoever wrote that record is not known to this execution.
 * @throws Refused, Transient, Defect as the journal's writes do
 */
export async function settleIntent<Kind extends IntentKind>(
  known: IntentOf<Kind> | undefined,
  opening: NewIntent<Kind>,
  end: Pick<Move, 'state' | 'outcome' | 'why' | 'guardedBy'> | undefined,
  journal: Pick<Journal, 'open' | 'advance'>,
): Promise<IntentOf<Kind>> {
  if (known === undefined) return openAsSettled(opening, end, journal)
  const { frozen, notAfter } = opening
  const isAsKnown = end === undefined && termsHashOf({ ...known, frozen, notAfter }) === termsHashOf(known)
  return isAsKnown ? known : journal.advance(known, { ...settleMove(known, { frozen, notAfter }), ...end })
}

/** An execution that was quicker may have opened it meanwhile, and its record is no more known to this one than any other. */
async function openAsSettled<Kind extends IntentKind>(
  opening: NewIntent<Kind>,
  end: Parameters<Journal['open']>[1],
  journal: Pick<Journal, 'open'>,
): Promise<IntentOf<Kind>> {
  const opened = await journal.open(opening, end)
  const { frozen, notAfter } = opening
  const isAsSettled = termsHashOf({ ...opened, frozen, notAfter }) === termsHashOf(opened)
  if (opened.state === IntentState.Ready && !isAsSettled)
    throw new Transient(`another execution opened intent ${opened.intentId} meanwhile, with other terms`)
  return opened
}

/**
 * Until when it may be sent: as asked for, else until its life is over (epoch ms, service time). A record that is there
 * already may have said less, and never more.
 */
export function settledNotAfter(
  { notAfter }: { readonly notAfter?: string | undefined },
  lifeEndMs: number,
  known: Pick<Intent, 'notAfter'> | undefined,
): string {
  if (notAfter !== undefined) return notAfter
  return new Date(Math.min(lifeEndMs, Date.parse(known?.notAfter ?? '') || lifeEndMs)).toISOString()
}
