// Says of which kind the movement behind a ledger entry is. The service does not describe how the ledger spells the
// kinds, and ids are unique only within their kind.

const KINDS = ['fill', 'withdrawal', 'deposit'] as const
export type LedgerSource = (typeof KINDS)[number] | 'unknown'

/** Sources of the entries of a withdrawal. */
export const OF_WITHDRAWALS: ReadonlySet<LedgerSource> = new Set(['withdrawal', 'unknown'])

/** By the type of an entry's source: an open set. One that cannot be told stands for any. */
export function ledgerSourceOf(sourceType: string): LedgerSource {
  return KINDS.find((kind) => sourceType.toLowerCase().includes(kind)) ?? 'unknown'
}
