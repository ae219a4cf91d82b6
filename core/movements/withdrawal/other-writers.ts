// Says whether others write to the account, as its rows show: somebody else made a recent row if no intent of this journal has
// claimed it. Then a row that matches our withdrawal may be somebody else's. Rows cannot show a writer before the writer's
// first row, so only the configuration can rule others out. A row dated before the send does not count as ours either. Reads
// only.

import { mapBounded } from '../../bounded.ts'
import { FOREIGN, IntentKind } from '../../contract/records.ts'
import type { WithdrawalAttempt } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import type { Matches } from './match.ts'

/** Parallel reads of claims. The journal has no rate limit to share. */
const CLAIMS_AT_ONCE = 16
const INTERNAL_ACCOUNTING: ReadonlySet<string> = new Set(['NETWORK_FEE', 'TRANSFER_FEE'])
/** Holders that are no intent. */
const NOBODY: ReadonlySet<string | undefined> = new Set([undefined, FOREIGN])

/** Seconds: a service may date its rows to the minute. */
const COARSE_SECONDS = 60

const OTHERS_WRITE = 'others write to this account'
const OTHERS_MAY_WRITE = 'others may write to this account, because service.shared is not false'
const DATED_BEFORE = 'it is dated before the send, and was perhaps there before it'

/** The rows of a list, and the ids of those that other withdrawals in flight have made and not yet claimed. */
interface Listed {
  readonly rows: readonly WithdrawalState[]
  readonly theirs: ReadonlySet<string>
}

/**
 * One sentence why a matching row may be somebody else's; `undefined` where nobody else writes. `shared`: the setting in
 * treasury.json. `candidate`: the row that would be adopted because it matches, if any.
 * @throws Transient
 */
export async function findOtherWriters(
  shared: boolean | undefined,
  listed: Listed,
  attempt: WithdrawalAttempt,
  candidate: WithdrawalState | undefined,
  journal: Pick<Journal, 'findClaim'>,
): Promise<string | undefined> {
  if (shared === true) return OTHERS_WRITE
  if (candidate === undefined) return undefined
  if (shared !== false) return OTHERS_MAY_WRITE
  if (isDatedBefore(candidate, attempt)) return DATED_BEFORE
  return (await isWrittenByOthers(listed, attempt, candidate, journal)) ? OTHERS_WRITE : undefined
}

/**
 * Whether a row is dated to before the attempt was signed, by more than the service's clock may lag. The list before the send
 * may have lacked a row that no attempt has seen. An own row can have such a date too, where the service dates its rows to the
 * day, or by the clock of a zone that is behind.
 */
export function isDatedBefore({ createdAt }: WithdrawalState, { iat, fenceTiming }: WithdrawalAttempt): boolean {
  return Date.parse(createdAt) < (iat - fenceTiming.leewaySeconds - COARSE_SECONDS) * 1000
}

/** Reads the claim of each row of the window. @throws Transient */
async function isWrittenByOthers(
  { rows, theirs }: Listed,
  { known }: WithdrawalAttempt,
  candidate: WithdrawalState,
  journal: Pick<Journal, 'findClaim'>,
): Promise<boolean> {
  // All rows of the list, whatever their dates: in another zone's clock, a row made yesterday may be dated to the day before.
  const ids = new Set([...known, ...rows].map(({ id }) => id))
  // The service books these itself; its description says that no list shows them.
  for (const { id, subType } of rows) if (INTERNAL_ACCOUNTING.has(subType)) ids.delete(id)
  for (const id of [candidate.id, ...theirs]) ids.delete(id)
  const holders = await mapBounded([...ids], CLAIMS_AT_ONCE, (id) => journal.findClaim(IntentKind.Withdraw, id))
  return holders.some((holder) => NOBODY.has(holder))
}

/** Drops the rows that another intent has claimed, or a person declared foreign. @throws Transient */
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
