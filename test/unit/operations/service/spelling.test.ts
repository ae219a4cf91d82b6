// A record of an equity shows both of its codes, and other records are as the service sent them.
import { expect, test } from 'vitest'
import { Transient } from '../../../../core/errors.ts'
import { errorOf } from '../../../../core/service/problem.ts'
import { readSpellings, spellingsOf } from '../../../../operations/service/spelling.ts'

const spellings = spellingsOf([
  { assetSymbol: 'NVDASPV', rebasedSymbol: 'NVDAX' },
  { assetSymbol: 'USDC', rebasedSymbol: 'USDC' },
])

test.each([
  ['NVDASPV', 'NVDASPV (NVDAX)'],
  ['NVDAX', 'NVDASPV (NVDAX)'],
  ['USDC', 'USDC'],
  ['NEW', 'NEW'],
  [null, ''],
])('%s is shown as "%s"', (code, shown) => {
  expect(spellings.both(code)).toBe(shown)
})

test('a record of an equity has both codes beside its own fields, and any other record is unchanged', () => {
  const codeOf = ({ asset }: { asset: string }) => asset
  expect(spellings.spell({ asset: 'NVDAX' }, codeOf)).toEqual({
    asset: 'NVDAX',
    settledSymbol: 'NVDASPV',
    rebasedSymbol: 'NVDAX',
  })
  expect(spellings.spell({ asset: 'USDC' }, codeOf)).toEqual({ asset: 'USDC' })
})

const lacking = errorOf('Refused', {
  endpoint: 'GET /v2/assets',
  status: 403,
  code: 'insufficient_scope',
  isDocument: true,
  retryable: false,
  extensions: {},
})

test('a key that may not read assets shows the codes unchanged', async () => {
  const read = await readSpellings({ assets: () => Promise.reject(lacking) })
  expect(read.both('NVDASPV')).toBe('NVDASPV')
})

test('any other failure to read assets is a failure', async () => {
  const failing = readSpellings({ assets: () => Promise.reject(new Transient('no answer')) })
  await expect(failing).rejects.toThrow('no answer')
})
