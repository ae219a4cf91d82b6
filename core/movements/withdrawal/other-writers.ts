// Whether others write to the account, as its rows show: somebody else made a recent row that no intent of this journal
// has claimed. A row that only matches ours may then be theirs. Rows cannot show a writer whose first row it is, so only
// the configuration can rule others out. Nor is a row that is dated before the send taken for ours. Reads only.

import { mapBounded } from '../../bounded.ts'
import { FOREIGN, IntentKind } from '../../contract/records.ts'
import type { WithdrawalAttempt } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import type { Matches } from './match.ts'

/** Of the journal, which has no rate limit to share. */
const CLAIMS_AT_ONCE = 16
const INTERNAL_ACCOUNTING: ReadonlySet<string> = new Set(['NETWORK_FEE', 'TRANSFER_FEE'])
/** Held by no intent. */
const NOBODY: ReadonlySet<string | undefined> = new Set([undefined, FOREIGN])

/** A service may date its rows to the minute. */
const COARSE_SECONDS = 60

const OTHERS_WRITE = 'others write to this account'
const OTHERS_MAY_WRITE = 'others may write to this account, because service.shared is not false'
const DATED_BEFORE = 'it is dated before the send, and was perhaps there before it'

/**
 * Why a row that matches may be somebody else's, in words; `undefined` where nobody else writes. `shared`: as treasury.json
 * says it. `candidate`: the row that would be adopted because it matches, where there is one. @throws Transient
 */
export async function findOtherWriters(
  shared: boolean | undefined,
  rows: readonly WithdrawalState[],
  attempt: WithdrawalAttempt,
  candidate: WithdrawalState | undefined,
  journal: Pick<Journal, 'findClaim'>,
): Promise<string | undefined> {
  if (shared === true) return OTHERS_WRITE
  if (candidate === undefined) return undefined
  if (shared !== false) return OTHERS_MAY_WRITE
  if (isDatedBefore(candidate, attempt)) return DATED_BEFORE
  return (await isWrittenByOthers(rows, attempt, candidate, journal)) ? OTHERS_WRITE : undefined
}

/**
 * Whether a row is dated to before the attempt was signed, by more than the service's clock may be behind where it accepts
 * the request. The list before the send may have lacked a row that no attempt has seen. An own row is dated so too where the
 * service dates its rows to the day, or by the clock of a zone that is behind.
 */
export function isDatedBefore({ createdAt }: WithdrawalState, { iat, fenceTiming }: WithdrawalAttempt): boolean {
  return Date.parse(createdAt) < (iat - fenceTiming.leewaySeconds - COARSE_SECONDS) * 1000
}

/** Costs a read for each row of the window. @throws Transient */
async function isWrittenByOthers(
  rows: readonly WithdrawalState[],
  { known }: Pick<WithdrawalAttempt, 'known'>,
  candidate: WithdrawalState,
  journal: Pick<Journal, 'findClaim'>,
): Promise<boolean> {
  // All that the list shows, whatever their dates: one made yesterday may be dated to the day before, in another zone's clock.
  const ids = new Set([...known, ...rows].map(({ id }) => id))
  // Booked by the service itself; the description says that no list shows them.
  for (const { id, subType } of rows) if (INTERNAL_ACCOUNTING.has(subType)) ids.delete(id)
  ids.delete(candidate.id)
  const holders = await mapBounded([...ids], CLAIMS_AT_ONCE, (id) => journal.findClaim(IntentKind.Withdraw, id))
  return holders.some((holder) => NOBODY.has(holder))
}

/** Without the rows that are another intent's, or were declared to be others'. @throws Transient */
export async function dropClaimed(
  { exact, near }: Matches,
  intentId: string,
  journal: Pick<Journal, 'findClaim'>,
): Promise<Matches> {
  const holders = new Map<string, string | undefined>()
  for (const { id } of [...exact, ...near]) holders.set(id, await journal.findClaim(IntentKind.Withdraw, id))
  const isOpen = ({ id }: WithdrawalState) => [undefined, intentId].includes(holders.get(id))
  return { exact: exact.filter(isOpen), near: near.filter(isOpen) }
}
