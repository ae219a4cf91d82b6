// A key for encryption is refused where its resources could not use it.
import { expect, test } from 'vitest'
import { ConfigError, parseTreasury } from '../../../core/treasury/config.ts'

const key = (region: string, id = '0') =>
  `arn:aws:kms:${region}:123456789012:key/1234abcd-12ab-34cd-56ef-12345678900${id}`
const HERE = key('eu-west-1')
const THERE = key('eu-central-1')

/** The findings for `encryption`, beside `more`. */
function findingsOf(encryption: object, more: object = {}): readonly string[] {
  try {
    parseTreasury(JSON.stringify({ service: { url: 'https://service.example', stage: 'test' }, encryption, ...more }))
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.findings
    throw error
  }
}
const found = (what: string, message: string) => [`treasury.json: encryption.${what}: ${message}`]
const copied = { journal: { copyRegion: 'eu-central-1' } }
const aws = { account: '123456789012', region: 'eu-west-1' }

test.each([
  ['one for everything', { secrets: HERE, journal: HERE, logs: HERE }, {}],
  ['each its own', { secrets: key('eu-west-1', '1'), journal: HERE, logs: key('eu-west-1', '2') }, { aws }],
  ['one alone', { logs: HERE }, copied],
  ['a key of several regions', { journal: HERE.replace(/[^/]*$/, `mrk-${'0a'.repeat(16)}`) }, {}],
  ['the copies under a key of their region', { journal: HERE, copies: THERE }, copied],
  ['the copies alone', { copies: THERE }, copied],
])('keys are accepted: %s', (_what, encryption, more) => {
  expect(findingsOf(encryption, more)).toEqual([])
})

test.each([
  'alias/journal',
  '1234abcd-12ab-34cd-56ef-123456789000',
  'arn:aws:kms:eu-west-1:123456789012:alias/journal',
])('log groups and vaults know no alias and no bare id, so both are refused: %s', (journal) => {
  expect(findingsOf({ journal })).toEqual([
    expect.stringMatching(/^treasury.json: encryption.journal: expected the ARN /),
  ])
})

test('a key of another region than the deployment’s is refused', () => {
  expect(findingsOf({ journal: THERE }, { aws })).toEqual(
    found('journal', 'expected a key of eu-west-1; got one of eu-central-1'),
  )
  expect(findingsOf({ secrets: HERE, logs: THERE })).toEqual(
    found('logs', 'expected a key of eu-west-1; got one of eu-central-1'),
  )
})

test('copies may not stay under a key of AWS if the journal is under a key of the account', () => {
  expect(findingsOf({ journal: HERE }, copied)).toEqual(
    found('copies', 'expected a key of eu-central-1, as encryption.journal is set; it is missing'),
  )
})

test('the key of copies belongs to their target region', () => {
  expect(findingsOf({ journal: HERE, copies: HERE }, copied)).toEqual(
    found('copies', 'expected a key of eu-central-1; got one of eu-west-1'),
  )
})

test('a key of copies without copies is refused', () => {
  expect(findingsOf({ journal: HERE, copies: THERE })).toEqual(
    found('copies', 'expected journal.copyRegion too; without it there are no copies'),
  )
})
