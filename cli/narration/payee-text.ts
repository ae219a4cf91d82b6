// Who is paid, in one phrase: by the labels that people gave, what kind of contact it is, where it leads and when it
// last changed, beside its id. Nobody approves a bare id.
import type { PayeeFacts } from '../../core/contract/payee.ts'

/** `payee` absent: of a run from before plans kept it. Labels are other people's: printed as any text of theirs. */
export function payeeText(contactId: string, payee: PayeeFacts | undefined): string {
  if (payee === undefined) return `contact ${contactId}`
  const { alias, reference, type, networkId, bank, updatedAt } = payee
  const place = [networkId === null ? '' : ` on ${networkId}`, bank === null ? '' : ` at ${bank}`].join('')
  const facts = [
    ...(reference === null ? [] : [`reference ${reference}`]),
    `${type}${place}`,
    `last changed ${updatedAt}`,
    `id ${contactId}`,
  ]
  return `${alias === null ? 'contact' : `"${alias}"`} (${facts.join(', ')})`
}
