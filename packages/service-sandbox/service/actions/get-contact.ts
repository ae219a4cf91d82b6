// GET /v2/contacts/{contactId}: one saved destination.

import { action, ok } from '../exchange.ts'
import { notFound } from '../problem.ts'
import { showContact } from '../resources/contact-resource.ts'

export const getContact = action({
  method: 'GET',
  path: '/v2/contacts/{contactId}',
  summary: 'One saved destination',
  access: { tier: 'bearer', scope: 'contacts:read' },
  query: {},
  answers: { 200: 'Contact' },
  answer: ({ world, path }) => {
    const contact = world.contacts.get(path.contactId)
    if (contact === undefined) throw notFound('contact')
    return ok(showContact(contact))
  },
})
