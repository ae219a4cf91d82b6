// Says which account a line of the ledger belongs to, by the part `books` of treasury.json. Pure.
import type { Books } from '../../../core/contract/books.ts'
import { sameCode } from '../../../core/contract/fields.ts'
import type { LineKind } from '../ledger-line.ts'

/** A contact as the journal froze it when the checks read it. */
export interface Payee {
  readonly contactId: string
  readonly reference: string | null
  readonly alias: string | null
}

export interface BookAccounts {
  /** The account that holds an asset. */
  ofAsset(asset: string): string
  /** The other side of a line. */
  against(kind: LineKind, payee: Payee | undefined): string
}

export function createBookAccounts({ accounts, assets, payees }: Books): BookAccounts {
  const own = Object.entries(assets)
  const ofPayee = ({ contactId, reference, alias }: Payee) =>
    [reference, alias, contactId]
      .map((name) => (name !== null && Object.hasOwn(payees, name) ? payees[name] : undefined))
      .find((found) => found !== undefined)
  return {
    ofAsset(asset) {
      const named = own.find(([code]) => sameCode(code, asset))
      return named === undefined ? `${accounts.holdings}:${partOf(asset)}` : named[1]
    },
    against(kind, payee) {
      switch (kind) {
        // A refund undoes its withdrawal. Its fee is booked apart.
        case 'withdrawals':
        case 'refunds':
          return (payee && ofPayee(payee)) ?? accounts.withdrawals
        default:
          return accounts[kind]
      }
    },
  }
}

/** A part of an account begins with a capital letter or a digit, and has letters, digits and dashes. */
function partOf(asset: string): string {
  const part = asset.replace(/[^A-Za-z0-9-]/g, '-')
  return /^[A-Z0-9]/.test(part) ? part : `X${part}`
}
