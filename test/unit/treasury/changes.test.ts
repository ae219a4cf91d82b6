// Tests the changes of a file, in the treasury's words. Changes that loosen a bound come first.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesOf } from '../../../core/treasury/changes.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { makeAuthority } from '../../helpers/self-signed.ts'

const SERVICE = { url: 'https://service.example', stage: 'test' }
const CORE = { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, approval: { above: '1000' } }
const GUARDS = { worstSlippageBps: 40, allowedContacts: ['c-1'], total: { daily: '50000' } }

const written = (more: object = {}) =>
  JSON.parse(
    JSON.stringify(
      parseTreasury(JSON.stringify({ service: SERVICE, guards: GUARDS, policies: { core: CORE }, ...more })),
    ),
  )
const guards = (changes: object) => ({ guards: { ...GUARDS, ...changes } })
const core = (changes: object) => ({ policies: { core: { ...CORE, ...changes } } })
const SWEEP = { kind: 'sweep', rules: [{ assets: ['ETH'], contactId: 'c-1' }] }

test.each([
  [{ days: ['SAT', 'SUN'], timeZone: 'Europe/Madrid' }, 'SAT, SUN from 00:00 for 24 hours (Europe/Madrid)'],
  [{ from: '22:00', to: '06:00' }, 'every day 22:00 to 06:00 (UTC)'],
])('quiet hours %j are "%s"', (hours, says) => {
  const [none, some] = [written(guards({})), written(guards({ quietHours: [hours] }))]
  expect(changesOf(none, some).map(({ text }) => text)).toEqual([`quiet hours ${says}: new`])
  expect(changesOf(some, none).map(({ text }) => text)).toEqual([`quiet hours ${says}: taken away`])
})

test('quiet hours that nobody checked are shown as they are', () => {
  const texts = changesOf({}, { guards: { quietHours: ['{at night', { at: 'night' }] } }).map(({ text }) => text)
  expect(texts).toEqual(['quiet hours {at night: new', 'quiet hours {"at":"night"}: new'])
})

const AWS = { account: '123456789012', region: 'eu-west-1' }

describe('what a company asks of a deployment', () => {
  const changed = (was: object, is: object) =>
    changesOf(written({ aws: { ...AWS, ...was } }), written({ aws: { ...AWS, ...is } })).map(
      ({ kind, path, text }) => `${kind} ${path}: ${text}`,
    )
  const LOGS = 'how many days logs are kept (none: 180)'

  test.each([
    [
      'a boundary that goes',
      { permissionsBoundary: 'b' },
      {},
      'loosened aws.permissionsBoundary: what bounds every role: from b to none',
    ],
    [
      'a boundary that comes',
      {},
      { permissionsBoundary: 'b' },
      'tightened aws.permissionsBoundary: what bounds every role: from none to b',
    ],
    [
      'another boundary',
      { permissionsBoundary: 'b' },
      { permissionsBoundary: 'c' },
      'changed aws.permissionsBoundary: what bounds every role: from b to c',
    ],
    ['logs that go sooner', {}, { logRetentionDays: 30 }, `loosened aws.logRetentionDays: ${LOGS}: from none to 30`],
    ['logs that stay longer', { logRetentionDays: 30 }, {}, `tightened aws.logRetentionDays: ${LOGS}: from 30 to none`],
    ['a path', {}, { rolePath: '/company/' }, 'changed aws.rolePath: the path of every role: from none to /company/'],
    [
      'a tag',
      { tags: { team: 'a' } },
      { tags: { team: 'b' } },
      'changed aws.tags.team: a tag of every resource: from a to b',
    ],
    [
      'a bus of the account',
      {},
      { eventBus: 'company' },
      'loosened aws.eventBus: the bus that takes requests: from none to company',
    ],
    [
      'another table',
      { journalTable: 'one' },
      { journalTable: 'two' },
      'loosened aws.journalTable: the table of the journal: from one to two',
    ],
    [
      'the same table by its ARN',
      { journalTable: 'company-records' },
      { journalTable: 'arn:aws:dynamodb:eu-west-1:123456789012:table/company-records' },
      'changed aws.journalTable: the table of the journal: from company-records to arn:aws:dynamodb:eu-west-1:123456789012:table/company-records',
    ],
    [
      'the same bus by its name',
      { eventBus: 'arn:aws:events:eu-west-1:123456789012:event-bus/company' },
      { eventBus: 'company' },
      'changed aws.eventBus: the bus that takes requests: from arn:aws:events:eu-west-1:123456789012:event-bus/company to company',
    ],
    ['a first tag', {}, { tags: { team: 'b' } }, 'changed aws.tags.team: a tag of every resource: from none to b'],
  ])('%s is shown', (_name, was, is, line) => {
    expect(changed(was, is)).toEqual([line])
  })
})

test.each([
  [
    'a worse price',
    guards({ worstSlippageBps: 9999 }),
    'loosened guards.worstSlippageBps: the worst price of a conversion: from 40 to 9999 basis points',
  ],
  [
    'a better price',
    guards({ worstSlippageBps: 20 }),
    'tightened guards.worstSlippageBps: the worst price of a conversion: from 40 to 20 basis points',
  ],
  [
    'a contact more',
    guards({ allowedContacts: ['c-1', 'c-9'] }),
    'loosened guards.allowedContacts: contact c-9: newly allowed',
  ],
  [
    'no list of contacts',
    guards({ allowedContacts: undefined }),
    'loosened guards.allowedContacts: any contact is allowed, listed or not',
  ],
  [
    'a bound that goes',
    guards({ total: {} }),
    'loosened guards.total.daily: the value of all movements of a day: from 50000 to no bound',
  ],
  [
    'a bound that comes',
    guards({ dailyOutflow: { BTC: '0.5' } }),
    'tightened guards.dailyOutflow.BTC: the most that may leave in a day: from no bound to 0.5',
  ],
  [
    'more without approval',
    core({ approval: { above: '1000.5' } }),
    'loosened policies.core.approval.above: the value that goes without approval: from 1000 to 1000.5',
  ],
  ['a policy that stops to move', core({ mode: 'shadow' }), 'tightened policies.core.mode: mode: from live to shadow'],
  ['a new policy', { policies: { core: CORE, out: SWEEP } }, 'loosened policies.out: a new policy moves money'],
  ['a policy that goes', { policies: {} }, 'tightened policies.core: the policy is gone'],
  [
    'other weights',
    core({ weights: { BTC: '0.6', USDC: '0.4' } }),
    'changed policies.core.weights.BTC: from 0.5 to 0.6, changed policies.core.weights.USDC: from 0.5 to 0.4',
  ],
  [
    'another address',
    { service: { ...SERVICE, url: 'https://other.example' } },
    'changed service.url: from https://service.example to https://other.example',
  ],
  [
    'halting shares its concurrency with everything',
    { concurrency: 'shared' },
    'loosened concurrency: whether halting has concurrency of its own: from reserved to shared',
  ],
  [
    'another account that may ask',
    { requesters: ['210987654321'] },
    'loosened requesters: AWS account 210987654321: may newly ask for movements',
  ],
  [
    'a shorter fence',
    { timing: { visibilitySeconds: 30 } },
    'loosened timing.visibilitySeconds: how long a withdrawal may stay unseen: from 60 to 30 seconds',
  ],
])('%s', (_what, change, isReported) => {
  const changes = changesOf(written(), written(change))
  expect(changes.map(({ kind, path, text }) => `${kind} ${path}: ${text}`).join(', ')).toBe(isReported)
})

describe('the order', () => {
  test('lists loosened bounds, other changes, then tightened bounds, whatever their order in the file', () => {
    const change = {
      ...guards({ worstSlippageBps: 41, allowedContacts: [] }),
      ...core({ weights: { BTC: '0.4', USDC: '0.6' }, runLifeSeconds: 60 }),
    }
    expect(changesOf(written(), written(change)).map(({ kind }) => kind)).toEqual([
      ...['loosened', 'changed', 'changed', 'tightened', 'tightened'],
    ])
  })
})

const PLACE = { account: '123456789012', region: 'eu-west-1' }
const PROXY = 'http://old.example:3128'
const { cert } = makeAuthority()

test.each<[string, object, object, RegExp]>([
  [
    'an authority that functions newly trust is a loosened bound, by its name',
    {},
    { certificateAuthorities: [cert] },
    /^loosened aws\.certificateAuthorities: certificate CN=Company Root \(SHA-256 [0-9A-F:]{23}…\): newly trusted by functions$/,
  ],
  [
    'an authority that goes is tightened',
    { certificateAuthorities: [cert] },
    {},
    /^tightened aws\.certificateAuthorities: .*: no longer trusted by functions$/,
  ],
  [
    'another proxy is a change',
    { proxy: { url: PROXY } },
    { proxy: { url: 'http://new.example' } },
    /^changed aws\.proxy\.url: the proxy of the functions: from http:\/\/old\.example:3128 to http:\/\/new\.example$/,
  ],
  [
    'a host without the proxy is a change',
    { proxy: { url: PROXY } },
    { proxy: { url: PROXY, except: ['.internal.example'] } },
    /^changed aws\.proxy\.except: hosts that functions reach without the proxy: /,
  ],
])('%s', (_what, was, is, isReported) => {
  const withAws = (aws: object) => written({ aws: { ...PLACE, ...aws } })
  const changes = changesOf(withAws(was), withAws(is))
  expect(changes.map(({ kind, path, text }) => `${kind} ${path}: ${text}`)).toEqual([expect.stringMatching(isReported)])
})

test('a changed payee is a loosened bound', () => {
  const to = (contactId: string) =>
    written({ guards: {}, policies: { out: { ...SWEEP, rules: [{ assets: ['ETH'], contactId }] } } })
  expect(changesOf(to('c-1'), to('c-2'))).toEqual([
    { kind: 'loosened', path: 'policies.out.rules.0.contactId', text: 'who is paid: from c-1 to c-2' },
  ])
})

test('a written-out default, and keys in another order, are no change', () => {
  const file = {
    guards: { total: { daily: '50000' }, worstSlippageBps: 40, allowedContacts: ['c-1'], snapshotSeconds: 120 },
  }
  expect(changesOf(written(), written(file))).toEqual([])
})

test('every pair of different values is reported, whatever a later release may write (property)', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (was, is) => {
      const [before, after] = [{ was }, { was: is }]
      const same = JSON.stringify(before) === JSON.stringify(after)
      const isReported = changesOf(before, after).length > 0
      // Keys in another order are the same.
      if (same) expect(isReported).toBe(false)
      if (isReported) expect(same).toBe(false)
    }),
  )
})

test('a place for payout files is a loosened bound, also another place, and its end is a tightened bound', () => {
  const salaries = (files?: object) => ({ policies: { salaries: { kind: 'payouts', ...(files && { files }) } } })
  const [first, other] = [{ bucket: 'company-payouts' }, { bucket: 'company-payouts', prefix: 'a/' }]
  const kindOf = (was?: object, is?: object) =>
    changesOf(salaries(was), salaries(is)).map(({ kind, path }) => `${kind} ${path}`)
  expect(kindOf(undefined, first)).toEqual(['loosened policies.salaries.files'])
  expect(kindOf(first, other)).toEqual(['loosened policies.salaries.files'])
  expect(kindOf(first, undefined)).toEqual(['tightened policies.salaries.files'])
})
