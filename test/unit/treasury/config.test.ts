// A treasury.json is accepted whole or refused with every mistake at once, and stage live asks for precautions.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keySecretsOf, roleKeyOf } from '../../../core/contract/treasury.ts'
import { ConfigError, loadTreasury, parseTreasury } from '../../../core/treasury/config.ts'
import { folderOfFile } from '../../helpers/folders.ts'

const folder = folderOfFile()

const WAIVED = { splitKeys: 'a test', allowedContacts: 'a test', dailyBounds: 'a test', resumedBy: 'a test' }

function findingsOf(attempt: () => unknown): readonly string[] {
  try {
    attempt()
  } catch (error) {
    if (error instanceof ConfigError) return error.findings
    throw error
  }
  return []
}

test('the file at the root is accepted unchanged', () => {
  expect(loadTreasury().service).toEqual({
    url: 'https://api.example.com',
    stage: 'test',
    keySecret: 'sluice/service-key',
  })
})

test('an omitted field has its default', () => {
  const treasury = parseTreasury('{"service":{"url":"https://example.com","stage":"test"},"timing":{"attempts":2}}')
  expect(treasury.service.keySecret).toBe('sluice/service-key')
  expect(treasury.service.shared).toBeUndefined()
  expect(treasury.timing).toMatchObject({ attempts: 2, tokenLifeSeconds: 30, leewaySeconds: 60 })
  expect(treasury.alarms).toBeUndefined()
})

test('every mistake is found at once, each in a line with its path', () => {
  const text = '{"service":{"url":5,"stage":"prod"},"timing":{"attempts":99},"timng":{}}'
  expect(findingsOf(() => parseTreasury(text))).toEqual([
    'treasury.json: service.url: expected an http(s) address without /v2, query or credentials, such as "https://api.example.com"; got a number',
    'treasury.json: service.stage: expected live or test; got "prod"',
    'treasury.json: timing.attempts: expected a whole number from 1 to 20; got 99',
    'treasury.json: timng: unknown key; did you mean "timing"?',
  ])
})

test('an address that alarms cannot reach is refused by its field, and not quoted', () => {
  const service = { url: 'https://api.example.com', stage: 'test' }
  const page = ['mailto:on-call@example.com', 'https://user:word@alerts.example.com']
  expect(findingsOf(() => parseTreasury(JSON.stringify({ service, alarms: { page, ticket: 'me' } })))).toEqual([
    expect.stringMatching(/^treasury.json: alarms.page\[1\]: expected an address, such as "mailto:(?!.*word)/),
    expect.stringMatching(/^treasury.json: alarms.ticket: expected .*got "me"/),
  ])
})

test.each([
  'https://user:word@service.example',
  'https://service.example/v2',
  'https://service.example/?a=b',
  'service.example',
])('the address %s is refused', (url) => {
  const [finding, ...others] = findingsOf(() => parseTreasury(JSON.stringify({ service: { url, stage: 'test' } })))
  expect(finding).toContain('service.url: expected an http(s) address without /v2, query or credentials')
  expect(finding).not.toContain('word')
  expect(others).toEqual([])
})

test.each([
  ['http://service.example', false],
  ['http://localhost.example:8080', false],
  ['https://service.example', true],
  ['http://localhost:8080', true],
  ['http://127.0.0.1/base', true],
  ['http://[::1]:8080', true],
])('stage live at %s: %s', (url, isTaken) => {
  const findings = findingsOf(() => parseTreasury(JSON.stringify({ service: { url, stage: 'live' }, waives: WAIVED })))
  const finding =
    'treasury.json: service.url: expected an https address, as the stage is live (http only on this machine)'
  if (isTaken) expect(findings).toEqual([])
  else expect(findings).toEqual([expect.stringContaining(finding)])
})

describe('stage live', () => {
  const live = { url: 'https://service.example', stage: 'live' }
  const keys = { read: { secret: 'r' }, trade: { secret: 't' }, transfer: { secret: 'w' } }
  const guards = { allowedContacts: [], total: { daily: '1000' } }
  const findings = (more: object) => findingsOf(() => parseTreasury(JSON.stringify({ service: live, ...more })))

  test('asks for split keys, allowed contacts, a bound on the day and who resumes, each by its path and its waiver', () => {
    expect(findings({})).toEqual([
      expect.stringMatching(/^treasury\.json: service\.keys: expected a secret of its own .* waives\.splitKeys$/),
      expect.stringMatching(/^treasury\.json: guards\.allowedContacts: expected .* waives\.allowedContacts$/),
      expect.stringMatching(/^treasury\.json: guards\.total\.daily: expected .* waives\.dailyBounds$/),
      expect.stringMatching(/^treasury\.json: resumedBy: expected another-role or two-people.* waives\.resumedBy$/),
    ])
  })

  test('accepts a file with all precautions, or with waivers for the missing precautions', () => {
    expect(findings({ service: { ...live, keys }, guards, resumedBy: 'two-people' })).toEqual([])
    expect(findings({ waives: WAIVED })).toEqual([])
    expect(
      findings({ service: { ...live, keys: { ...keys, trade: keys.read } }, guards, resumedBy: 'two-people' }),
    ).toHaveLength(1)
  })

  test.each([{ twoAbove: '100' }, { requesterMayApprove: false }])(
    'asks who the approvers are that %o counts',
    (rule) => {
      const withRule = (approval: object) =>
        findings({ waives: WAIVED, guards: { approval: { above: '1', ...approval } } })
      expect(withRule(rule)).toEqual([
        expect.stringMatching(/^treasury\.json: guards\.approval\.approvers: expected the people/),
      ])
      expect(withRule({ ...rule, approvers: ['*/ann'] })).toEqual([])
    },
  )

  test('accepts no waiver without a reason', () => {
    expect(findings({ waives: { ...WAIVED, splitKeys: '' } })).toHaveLength(1)
  })
})

describe('an environment', () => {
  const service = { url: 'https://a.example', stage: 'test' }
  const parse = (more: object, own: object = {}) =>
    parseTreasury(JSON.stringify({ service: { ...service, ...own }, ...more }))

  test('has its own secret if the file names no secret', () => {
    expect(parse({ environment: 'desk-2' }).service.keySecret).toBe('desk-2-sluice/service-key')
    const named = { keySecret: 'sluice/service-key' }
    expect(parse({ environment: 'desk-2' }, named).service.keySecret).toBe('sluice/service-key')
  })

  test.each(['Live', '2nd', 'a-name-of-17-chars', '', 'aws-live', 'ssm'])('is not called %s', (environment) => {
    expect(() => parse({ environment })).toThrow(/environment: expected a name of at most 16/)
  })
})

test('a role that is not named has the common key', () => {
  const trade = { secret: 'team/trade', kmsKey: 'alias/team/trade' }
  const text = JSON.stringify({
    service: { url: 'https://a.example', stage: 'test', keySecret: 'all', keys: { trade } },
  })
  const { service } = parseTreasury(text)
  expect([roleKeyOf(service, 'read'), roleKeyOf(service, 'trade')]).toEqual([{ secret: 'all' }, trade])
  expect(keySecretsOf(service)).toEqual(['all', 'team/trade'])
})

test.each([
  [{ trade: { secret: 'a b' } }, 'service.keys.trade.secret: expected a Secrets Manager name'],
  [{ trade: { kmsKey: 'alias/a' } }, 'service.keys.trade.secret: expected'],
  [
    { trade: { secret: 'a', kmsKey: 'sluice' } },
    'service.keys.trade.kmsKey: expected the ARN of a KMS key, or alias/NAME',
  ],
  [{ trad: { secret: 'a' } }, 'service.keys.trad: unknown key; did you mean "trade"?'],
])('keys %j are refused', (keys, finding) => {
  const text = JSON.stringify({ service: { url: 'https://a.example', stage: 'test', keys } })
  expect(findingsOf(() => parseTreasury(text))).toEqual([expect.stringContaining(finding)])
})

test('findings call the file by its own name', () => {
  const file = join(folder, 'other.json')
  writeFileSync(file, '{"service":1}')
  expect(findingsOf(() => loadTreasury(file))).toEqual(['other.json: service: expected an object; got a number'])
})

test('a duplicate key is refused, because an editor and a parser may read different values', () => {
  const text = '{"service":{"url":"https://a.example","stage":"test","stage":"live"}}'
  expect(findingsOf(() => parseTreasury(text))).toEqual([
    'treasury.json: the key "stage" is given twice (line 1, column 54)',
  ])
})

test('a missing file names itself and the flag', () => {
  const file = join(folder, 'absent.json')
  expect(findingsOf(() => loadTreasury(file))).toEqual([`${file}: no such file; name one with --config FILE`])
})

test('a folder is not a file', () => {
  expect(findingsOf(() => loadTreasury(folder))).toEqual([`${folder}: expected a file; name one with --config FILE`])
})

test('a file over one mebibyte is not read', () => {
  const file = join(folder, 'large.json')
  writeFileSync(file, ' '.repeat(1024 * 1024 + 1))
  expect(findingsOf(() => loadTreasury(file))).toEqual([`${file}: expected at most 1048576 bytes; got 1048577`])
})

test('faults across the fields of policies are found too, each in a line with its path', () => {
  const policies = {
    target: { kind: 'rebalance', weights: { BTC: '0.5', USD: '0.49' } },
    nightly: { kind: 'sweep', rules: [{ assets: ['SOL'], contactId: 'c', keep: { target: '2', trigger: '1' } }] },
  }
  const service = { url: 'https://a.example', stage: 'test' }
  expect(findingsOf(() => parseTreasury(JSON.stringify({ service, policies })))).toEqual([
    'treasury.json: policies.target.weights: expected weights that add up to exactly 1; got 0.99: 0.01 is left over: give it to an asset',
    'treasury.json: policies.nightly.rules[0].keep.trigger: expected at least the target, 2; got 1',
  ])
})
