// GET /v2/contacts: the saved destinations.

import { action, ok } from '../exchange.ts'
import { oneOf, optional } from '../fields.ts'
import { offsetPage, offsetParameters } from '../pagination.ts'
import { showContact } from '../resources/contact-resource.ts'

export const listContacts = action({
  method: 'GET',
  path: '/v2/contacts',
  summary: 'Saved destinations',
  access: { tier: 'bearer', scope: 'contacts:read' },
  query: { ...offsetParameters, type: optional(oneOf('INTERNAL', 'EXTERNAL_CRYPTO', 'BANK_ACCOUNT')) },
  answers: { 200: { offsetPageOf: 'Contact' } },
  answer: ({ world, query }) => {
    const wanted = [...world.contacts.values()].filter(({ type }) => query.type === undefined || type === query.type)
    return ok(offsetPage(wanted, query, showContact))
  },
})
