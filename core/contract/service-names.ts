// Translates codes of the service into words: statuses, sides, types of the ledger, and kinds of withdrawals and contacts.
// Pure.

/** `PARTIALLY_FILLED` → `partially filled`. The sets are open, so an unknown code is spelled too, and other text stays. */
export function statusText(code: string): string {
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code) ? code.toLowerCase().replaceAll('_', ' ') : code
}

const SUB_TYPES: Readonly<Record<string, string>> = {
  INTERNAL: 'transfer within the service',
  EXTERNAL_CRYPTO: 'crypto transfer',
  EXTERNAL_FIAT_BANK: 'bank transfer',
  EXTERNAL_FIAT_REDPAY: 'RedPay transfer',
}

/** The kind of a withdrawal. The service may add kinds, which are spelled. */
export function subTypeText(code: string): string {
  return Object.hasOwn(SUB_TYPES, code) ? (SUB_TYPES[code] ?? code) : statusText(code)
}

const PAYEE_NAMES: Readonly<Record<string, string>> = {
  INTERNAL: 'account at the service',
  EXTERNAL_CRYPTO: 'crypto address',
  BANK_ACCOUNT: 'bank account',
}

/** The kind of a contact. The service may add kinds, which stay as they are. */
export function payeeKindText(type: string): string {
  return Object.hasOwn(PAYEE_NAMES, type) ? (PAYEE_NAMES[type] ?? type) : type
}

/** How a list of the service says the codes of a column. */
export const CODE_WORDS = { status: statusText, subType: subTypeText, contact: payeeKindText } as const
export type CodeWords = keyof typeof CODE_WORDS
