// GET /v2/contacts, GET and PATCH /v2/contacts/{contactId} (section "ContactResource"). Where a
// contact leads to is decided in the provider's dashboard; only its label is edited here.
import * as z from 'zod/mini'
import { Defect, Refused } from '../errors.ts'
import { id, label, labelOrNull, page, text, textOrNull } from './fields.ts'
import { collectPages, type WalkBounds, walkPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { checkText, pathOf, withQuery } from './request-path.ts'

const contact = z.object({
  id,
  /** A label that can be edited; never what decides where money goes. */
  reference: labelOrNull,
  /** INTERNAL, EXTERNAL_CRYPTO, BANK_ACCOUNT; open. */
  type: text,
  alias: label,
  createdAt: text,
  updatedAt: text,
  /** With EXTERNAL_CRYPTO. Its further fields, such as the address, are not described. */
  crypto: z.optional(
    z.object({
      assetSymbol: textOrNull,
      assetName: labelOrNull,
      /** As stored, and no key. */
      networkSymbol: labelOrNull,
      networkName: labelOrNull,
      /** Joins with the networks of an asset. */
      networkId: textOrNull,
    }),
  ),
  /** With BANK_ACCOUNT. */
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

const LIST = 'GET /v2/contacts'
const MAX_CONTACTS = 10_000

const readPageOf =
  (reader: Reader, { type }: ContactFilter) =>
  (number: number, limit: number) =>
    reader.read({
      endpoint: LIST,
      target: withQuery('/v2/contacts', [
        ['page', number],
        ['limit', limit],
        ['type', type],
      ]),
      shape: contactPage,
    })

/** Contacts that match, in the service's order. */
export function walkContacts(reader: Reader, filter: ContactFilter, bounds: WalkBounds): AsyncGenerator<Contact, void> {
  return walkPages(LIST, bounds, (each) => each.id, readPageOf(reader, filter))
}

/** All contacts that match, whole or an error. */
export function listContacts(reader: Reader, filter: ContactFilter): Promise<readonly Contact[]> {
  return collectPages(LIST, MAX_CONTACTS, ({ id }) => id, readPageOf(reader, filter))
}

/** One contact by its id. Throws Refused with code `not_found` when there is none. */
export async function readContact(reader: Reader, contactId: string): Promise<Contact> {
  const endpoint = 'GET /v2/contacts/{contactId}'
  const found = await reader.read({ endpoint, target: pathOf('/v2/contacts', contactId), shape: contact })
  return requireSame(endpoint, found, contactId)
}

/** New labels; at least one. The description names the two and shows no more of the body. */
export interface ContactLabels {
  /** 1 to 256 characters without control characters. */
  readonly alias?: string
  readonly reference?: string
}

/** Edits a contact's labels; moves nothing, and where the contact leads to stays as it is. Not retried. */
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

/** A contact is a destination: it must not be another one. */
function requireSame(endpoint: string, found: Contact, contactId: string): Contact {
  if (found.id !== contactId) throw new Defect(`${endpoint}: the contact that came is not the one that was asked for`)
  return found
}
