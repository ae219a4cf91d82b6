// Answers reads of contacts, and changes one.
import { action, ok } from '../exchange.ts'
import { label, oneOf, optional } from '../fields.ts'
import { offsetPage, offsetParameters } from '../pagination.ts'
import { invalid, notFound, unprocessable } from '../problem.ts'
import { showContact } from '../resources.ts'

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
