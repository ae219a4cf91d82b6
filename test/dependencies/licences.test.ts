// Each dependency has a licence that the project allows.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeLicences } from './licences.ts'

const lock = (license: unknown, more: object = {}) => ({
  packages: { '': { license: 'MIT' }, 'node_modules/a/node_modules/@x/b': { version: '1.2.3', license, ...more } },
})

test('each package of the lock file has an allowed licence', () => {
  const { judged, findings } = judgeLicences(JSON.parse(readFileSync('package-lock.json', 'utf8')))
  expect(findings).toEqual([])
  expect(judged).toBeGreaterThan(100)
})

test.each(['MIT', 'ISC', 'Apache-2.0', '(MIT OR GPL-3.0-or-later)', 'GPL-3.0-only OR MIT'])(
  '%s is allowed',
  (license) => {
    expect(judgeLicences(lock(license))).toEqual({ judged: 1, findings: [] })
  },
)

test.each([
  'GPL-3.0-only',
  'MIT AND GPL-3.0-only',
  '(MIT AND GPL-3.0-only)',
  'GPL-3.0-only AND (ISC OR MIT OR BSD-2-Clause)',
  '(MIT OR GPL-2.0-only) AND AGPL-3.0-only AND (ISC OR MIT)',
  'SEE LICENSE IN x',
  null,
  { type: 'MIT' },
])('%j is refused, with the name of its package', (license) => {
  expect(judgeLicences(lock(license)).findings).toEqual([
    `@x/b 1.2.3 is under the licence ${JSON.stringify(license)}: do without it, or allow the licence in test/dependencies/licences.ts`,
  ])
})

test('a package without a licence is refused', () => {
  expect(judgeLicences(lock(undefined)).findings).toEqual([expect.stringMatching(/^@x\/b 1\.2\.3 names no licence: /)])
})

test('the Mozilla licence is allowed for packages of development only', () => {
  expect(judgeLicences(lock('MPL-2.0', { dev: true })).findings).toEqual([])
  expect(judgeLicences(lock('MPL-2.0')).findings).toHaveLength(1)
})
