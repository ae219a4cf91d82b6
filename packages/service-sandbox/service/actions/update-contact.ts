// PATCH /v2/contacts/{contactId}: changes the caller's label. The destination is immutable.

import { action, ok } from '../exchange.ts'
import { label, optional } from '../fields.ts'
import { invalid, notFound, unprocessable } from '../problem.ts'
import { showContact } from '../resources/contact-resource.ts'

export const updateContact = action({
  method: 'PATCH',
  path: '/v2/contacts/{contactId}',
  summary: "Edits a destination's label",
  access: { tier: 'bearer', scope: 'contacts:write' },
  query: {},
  body: { reference: optional(label), alias: optional(label) },
  answers: { 200: 'Contact' },
  answer: ({ world, nowMs, path, body }) => {
    const contact = world.contacts.get(path.contactId)
    if (contact === undefined) throw notFound('contact')
    const { reference = contact.reference, alias = contact.alias } = body
    if (body.reference === undefined && body.alias === undefined) throw invalid('Give reference, alias or both.')
    const others = [...world.contacts.values()].filter(({ id }) => id !== contact.id)
    if (reference !== null && others.some((other) => other.reference === reference)) {
      throw unprocessable('Another contact has this reference.')
    }
    world.commit({ kind: 'contact.labelled', contactId: contact.id, reference, alias, atMs: nowMs })
    return ok(showContact({ ...contact, reference, alias, updatedAtMs: nowMs }))
  },
})
