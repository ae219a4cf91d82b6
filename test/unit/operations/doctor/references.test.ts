// References to contacts, assets and markets are read in the documented form, or refused by their option.
import { expect, test } from 'vitest'
import { parseReferences } from '../../../../operations/doctor/references.ts'

test.each([
  ['4f0c=USDC@POLYGON', { id: '4f0c', asset: 'USDC', network: 'POLYGON' }],
  ['4f0c=USDC', { id: '4f0c', asset: 'USDC' }],
  ['a=b@c/d %?=BTC@BITCOIN', { id: 'a=b@c/d %?', asset: 'BTC', network: 'BITCOIN' }],
])('the contact %s is read', (text, contact) => {
  expect(parseReferences({ contact: [text] }).contacts).toEqual([contact])
})

test.each([
  [{ contact: ['4f0c'] }, 'contact: expected ID=ASSET or ID=ASSET@NETWORK'],
  [{ contact: ['=USDC'] }, 'contact: expected ID=ASSET or ID=ASSET@NETWORK'],
  [{ contact: ['4f0c=US DC'] }, 'contact: expected ID=ASSET or ID=ASSET@NETWORK'],
  [{ contact: ['../account=USDC'] }, 'contact: expected an id'],
  [{ asset: [''] }, 'asset: expected an id'],
  [{ market: ['a/../b'] }, 'market: expected an id'],
  [{ asset: Array.from({ length: 201 }, () => 'BTC') }, 'expected at most 200 of them together'],
])('%j is refused by the name of its option', (flags, message) => {
  expect(() => parseReferences(flags)).toThrow(message)
})
