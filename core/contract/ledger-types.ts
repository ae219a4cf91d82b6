// Reads from the type of a ledger entry whether it raises or lowers the balance, and which kind of movement is behind
// it. Amounts are positive, and the direction is in the type (description, "Deposits and ledger records"). How the
// ledger spells kinds is not described, and ids are unique only within their kind. The types are an open set, so a
// type may have no known direction. Pure.

const KINDS = ['fill', 'withdrawal', 'deposit'] as const
export type LedgerSource = (typeof KINDS)[number] | 'unknown'

/** Sources that the entries of a withdrawal may have. */
export const OF_WITHDRAWALS: ReadonlySet<LedgerSource> = new Set(['withdrawal', 'unknown'])

/** Reads the kind from a source's type, which is an open set. An unknown type may be any kind. */
export function ledgerSourceOf(sourceType: string): LedgerSource {
  return KINDS.find((kind) => sourceType.toLowerCase().includes(kind)) ?? 'unknown'
}

export type Direction = 'in' | 'out'

const GIVES_BACK = /refund|revers|return/i
const RAISES = /deposit|opening|receiv/i
const LOWERS = /withdraw|fee|charge/i
/** Words that say nothing of the direction, beside those that do. */
const NEUTRAL =
  /^(adjustment|balance|bank|conversion|crypto|entry|external|fiat|fill|funds|internal|network|of|order|trade|transfer)s?$/i

/** `undefined` where the words of the type say nothing or contradict each other, or one of them is unknown. */
export function directionOf(type: string): Direction | undefined {
  const isCredit = /credit/i.test(type)
  const isDebit = /debit/i.test(type)
  if (isCredit || isDebit) return isCredit === isDebit ? undefined : isCredit ? 'in' : 'out'
  // An unknown word may turn the meaning of a known one: a rebate of a fee raises the balance.
  if (!wordsOf(type).every(isKnown)) return undefined
  const isBack = GIVES_BACK.test(type)
  const raises = RAISES.test(type)
  // A refund without another word gives money to the account.
  if (raises === LOWERS.test(type)) return isBack && !raises ? 'in' : undefined
  return raises === isBack ? 'out' : 'in'
}

function wordsOf(type: string): string[] {
  return type
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
}

function isKnown(word: string): boolean {
  return [GIVES_BACK, RAISES, LOWERS, NEUTRAL].some((words) => words.test(word))
}

/** Whether the type names an entry that undoes an earlier one. */
export function isGivingBack(type: string): boolean {
  return GIVES_BACK.test(type)
}
