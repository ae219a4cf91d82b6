// Finds the contact whose reference or alias a row of a payout file gives in place of the id. The row then has the id, so that
// nothing that runs later looks a contact up by a label. Pure.
import { type ShownContact, withLabel } from '../../movements/withdrawal/payee.ts'
import { nearestName } from '../../treasury/nearest-name.ts'

/** The id of the only contact with exactly this reference or alias, or a sentence that says why no contact or several fit. */
export type FindPayee = (contactReference: string) => string | { readonly says: string }

/** The rule of every withdrawal (functions/check-withdrawal): whoever has the bearer secret can give a label to another contact. */
export const needsId: FindPayee = () => ({
  says: 'contactId: expected the id of the contact beside its contactReference, as the stage is live or no service is asked here; got none: add the id, as a template lists it',
})

export function payeesAmong(contacts: readonly ShownContact[]): FindPayee {
  const ids = new Set(contacts.map(({ id }) => id))
  let hints = 0
  return (contactReference) => {
    const found = withLabel(contacts, contactReference)
    const [only, second] = found
    // A column of ids under the title of labels, or a label that looks like an id, must not pay somebody else.
    if (ids.has(contactReference) && contactReference !== only?.id) {
      const also =
        only === undefined ? 'is the id of a contact' : `is that of ${only.id}, and the id of another contact`
      return {
        says: `contactReference: expected a reference or alias that is no contact's id; ${contactReference} ${also}: give the contactId`,
      }
    }
    if (only !== undefined && second === undefined) return only.id
    const named = 'contactReference: expected the reference or alias of one contact'
    if (second !== undefined) {
      const fitting = found.slice(0, MOST_NAMED).map(({ id }) => id)
      return {
        says: `${named}; ${found.length} have ${contactReference}: give the contactId, such as ${fitting.join(' or ')}`,
      }
    }
    hints += 1
    const hint = hints > MOST_HINTS ? '' : hintOf(contactReference, contacts)
    return { says: `${named}; none has ${contactReference}${hint}` }
  }
}

/** Suggestions for one file: each compares the label with those of up to 10,000 contacts. */
const MOST_HINTS = 20
/** Contacts that a refusal names. */
const MOST_NAMED = 3

function hintOf(given: string, contacts: readonly ShownContact[]): string {
  const labels = contacts.flatMap(({ alias, reference }) => (reference === null ? [alias] : [alias, reference]))
  const nearest = nearestName(given, labels)
  return nearest === undefined ? ': contacts are made in the dashboard' : `; did you mean ${nearest}?`
}
