// Tests contacts: listed, by type, one by one, and renamed to their present name.
import { expect, it } from 'vitest'
import type { ContactLabels } from '../../core/service/contacts.ts'
import { problemOf } from '../../core/service/problem.ts'
import { type Target, take } from './target.ts'

const TYPES = ['INTERNAL', 'EXTERNAL_CRYPTO', 'BANK_ACCOUNT']

export function describeContacts(target: () => Target): void {
  it('are listed, completely and page by page, and read one by one', async () => {
    const { read } = target()
    const contacts = await read.contacts()
    const ids = contacts.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const some = await take(5, read.walkContacts({}, { pageLimit: 2 }))
    expect(some.map(({ id }) => id)).toEqual(ids.slice(0, 5))
    for (const { id } of some) expect((await read.contact(id)).id).toBe(id)
  })

  it.each(TYPES)('are filtered by the type %s, and have the details of it', async (type) => {
    for (const contact of await target().read.contacts({ type })) {
      expect(contact.type).toBe(type)
      expect(contact.crypto !== undefined).toBe(type === 'EXTERNAL_CRYPTO')
      expect(contact.bank !== undefined).toBe(type === 'BANK_ACCOUNT')
    }
  })

  it('of crypto are on a network of their asset', async () => {
    const { read } = target()
    for (const { crypto } of (await read.contacts({ type: 'EXTERNAL_CRYPTO' })).slice(0, 5)) {
      if (typeof crypto?.assetSymbol !== 'string' || crypto.networkId === null) continue
      const { networks } = await read.asset(crypto.assetSymbol)
      expect(networks.map(({ networkId }) => networkId)).toContain(crypto.networkId)
    }
  })

  it('can be renamed to their present label (alias or reference), unless the key may not', async (test) => {
    const { read } = target()
    const contacts = await read.contacts()
    const contact = contacts.find(({ reference }) => reference !== null) ?? contacts[0]
    if (contact === undefined) return target().lacks('contact', test)
    const { id, alias, reference } = contact
    const renameTo = (labels: ContactLabels) => read.renameContact(id, labels).catch((error: unknown) => error)
    const byAlias = await renameTo({ alias })
    // The description does not say which of the two a service edits.
    const isUnknown = problemOf(byAlias)?.code === 'validation_error' && reference !== null
    const renamed = isUnknown ? await renameTo({ reference }) : byAlias
    if (renamed instanceof Error) expect(renamed).toMatchObject({ problem: { code: 'insufficient_scope' } })
    else expect(renamed).toMatchObject({ id, alias, reference })
  })

  it('that do not exist are refused as not found', async () => {
    await expect(target().read.contact(crypto.randomUUID())).rejects.toMatchObject({
      name: 'Refused',
      problem: { code: 'not_found', isDocument: true },
    })
  })
}
