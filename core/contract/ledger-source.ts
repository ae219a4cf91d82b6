// Finds the kind of movement behind a ledger entry. The service does not document how the ledger spells kinds, and ids
// are unique only within their kind.

const KINDS = ['fill', 'withdrawal', 'deposit'] as const
export type LedgerSource = (typeof KINDS)[number] | 'unknown'

/** Sources that the entries of a withdrawal may have. */
export const OF_WITHDRAWALS: ReadonlySet<LedgerSource> = new Set(['withdrawal', 'unknown'])

/** Reads the kind from a source's type, which is an open set. An unknown type may be any kind. */
export function ledgerSourceOf(sourceType: string): LedgerSource {
  return KINDS.find((kind) => sourceType.toLowerCase().includes(kind)) ?? 'unknown'
}
