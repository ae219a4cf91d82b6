// Reads and renames contacts: GET /v2/contacts, GET and PATCH /v2/contacts/{contactId} (section "ContactResource").
// Where a contact's money goes is set in the provider's dashboard. Only labels are edited here.
import * as z from 'zod/mini'
import { Defect, Refused } from '../errors.ts'
import { id, label, labelOrNull, page, text, textOrNull } from './fields.ts'
import { collectPages, readPagesOf, type WalkBounds, walkPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { checkText, pathOf } from './request-path.ts'

const contact = z.object({
  id,
  /** An editable label. It never decides where money goes. */
  reference: labelOrNull,
  /** INTERNAL, EXTERNAL_CRYPTO or BANK_ACCOUNT; an open set. */
  type: text,
  alias: label,
  createdAt: text,
  updatedAt: text,
  /** Present for EXTERNAL_CRYPTO. Its further fields, such as the address, are not described. */
  crypto: z.optional(
    z.object({
      assetSymbol: textOrNull,
      assetName: labelOrNull,
      /** Text as the provider stored it. Do not join by it. */
      networkSymbol: labelOrNull,
      networkName: labelOrNull,
      /** The same as the networkId of an asset's network. */
      networkId: textOrNull,
    }),
  ),
  /** Present for BANK_ACCOUNT. */
  bank: z.optional(
    z.object({
      /** A fiat code. */
      assetSymbol: textOrNull,
      nationalId: textOrNull,
      bankId: textOrNull,
      bankName: labelOrNull,
      accountTypeId: textOrNull,
      bankAccountType: textOrNull,
      bankAccountNumber: textOrNull,
      accountEmail: labelOrNull,
    }),
  ),
})
export type Contact = z.output<typeof contact>
const contactPage = page(contact)

export interface ContactFilter {
  /** INTERNAL, EXTERNAL_CRYPTO or BANK_ACCOUNT. */
  readonly type?: string
}

const LIST = { endpoint: 'GET /v2/contacts', path: '/v2/contacts', shape: contactPage }
const MAX_CONTACTS = 10_000

const readPageOf = (reader: Reader, { type }: ContactFilter) => readPagesOf(reader, LIST, [['type', type]])

/** In the service's order. */
export function walkContacts(reader: Reader, filter: ContactFilter, bounds: WalkBounds): AsyncGenerator<Contact, void> {
  return walkPages(LIST.endpoint, bounds, (each) => each.id, readPageOf(reader, filter))
}

/** All matching contacts. Throws when the list cannot be read whole. */
export function listContacts(reader: Reader, filter: ContactFilter): Promise<readonly Contact[]> {
  return collectPages(LIST.endpoint, MAX_CONTACTS, ({ id }) => id, readPageOf(reader, filter))
}

/** Reads one contact. Throws Refused with code `not_found` when the service has no contact of this id. */
export async function readContact(reader: Reader, contactId: string): Promise<Contact> {
  const endpoint = 'GET /v2/contacts/{contactId}'
  const found = await reader.read({ endpoint, target: pathOf('/v2/contacts', contactId), shape: contact })
  return requireSame(endpoint, found, contactId)
}

/** New labels, at least one of the two. The service's description names both, and nothing else of the body. */
export interface ContactLabels {
  /** 1 to 256 characters without control characters. */
  readonly alias?: string
  readonly reference?: string
}

/** Edits a contact's labels. Moves nothing, and leaves the contact's destination as it is. Not retried. */
export async function renameContact(reader: Reader, contactId: string, labels: ContactLabels): Promise<Contact> {
  const endpoint = 'PATCH /v2/contacts/{contactId}'
  const { alias, reference } = labels
  if (alias === undefined && reference === undefined)
    throw new Refused('contact: expected an alias, a reference or both')
  if (alias !== undefined) checkText(alias, 'alias')
  if (reference !== undefined) checkText(reference, 'reference')
  const renamed = await reader.write({
    method: 'PATCH',
    endpoint,
    target: pathOf('/v2/contacts', contactId),
    content: { ...(alias === undefined ? {} : { alias }), ...(reference === undefined ? {} : { reference }) },
    shape: contact,
  })
  return requireSame(endpoint, renamed, contactId)
}

/** A contact is a destination of money, so another contact must not pass for it. */
function requireSame(endpoint: string, found: Contact, contactId: string): Contact {
  if (found.id !== contactId) throw new Defect(`${endpoint}: the contact that came is not the one that was asked for`)
  return found
}
