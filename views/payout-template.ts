// Writes a template of a payout file: the titles, and for each contact a remark with its destination and a line for each asset,
// without an id and an amount. Pure.
import { payoutRow } from '../core/contract/payouts.ts'
import { printable } from '../core/printable.ts'
import type { TemplatePayee } from '../operations/payouts/payout-template.ts'
import { cellOf, isFormula, type RowTexts } from './text/csv.ts'

/** Excel reads a file without the mark in the code page of its machine, and would write other labels back. */
const BYTE_ORDER_MARK = '\uFEFF'

export const PAYOUT_TEMPLATE: RowTexts<TemplatePayee> = {
  title: `${BYTE_ORDER_MARK}id,contactReference,contactId,asset,amount,reference\r\n`,
  line({ contactId, labels, says, assets }) {
    const label = cellOf(labels.find(canBeWritten) ?? '')
    const lines = assets.map((asset) => `,${label},${cellOf(contactId)},${asset},,`)
    return [`${cellOf(`# ${says}`)},,,,,`, ...lines].map((line) => `${line}\r\n`).join('')
  },
}

/** A file with another label would not name the contact. Its id is enough then. */
function canBeWritten(label: string): boolean {
  const isText = payoutRow.shape.contactReference.safeParse(label).success
  return isText && !isFormula(label) && printable(label) === label && label.trim() === label
}

export function templateText(payees: readonly TemplatePayee[]): string {
  return PAYOUT_TEMPLATE.title + payees.map(PAYOUT_TEMPLATE.line).join('')
}
