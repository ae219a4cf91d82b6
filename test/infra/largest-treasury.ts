// The largest treasury.json that the schema takes: every field set, and in what the templates depend on every list full, every
// name and address at its longest. Tests show that no field is missing, and that one more of each is refused.
import { MOST_POLICIES_WITH_FILES } from '../../core/contract/payouts.ts'
import { MOST_POLICIES, PolicyKind } from '../../core/contract/policies.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { parseTreasury } from '../../core/treasury/config.ts'
import { makeAuthority } from '../helpers/self-signed.ts'

/** A name of `length` letters that ends with a number. */
const named = (index: number, length: number, letter = 'n') =>
  letter.repeat(length - 2) + String(index).padStart(2, '0')
const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, at) => item(at))

const { cert: AUTHORITY } = makeAuthority()

const SECRET_LENGTH = 256
const secret = (purpose: string) => purpose.padEnd(SECRET_LENGTH, 's')
const alias = (role: string) => `alias/${role.padEnd(240, 'k')}`
/** The key of several regions has the longest id. */
const encrypts = (region: string) => `arn:aws-us-gov:kms:${region}:123456789012:key/mrk-${'0'.repeat(32)}`

const everyAddress = (name: string) =>
  many(20, (index) => `https://${named(index, 253 - 4, 'h')}.com:65535/${name.padEnd(500, 'p')}`)

/** Each minute of every hour, as a list: EventBridge Scheduler takes 256 characters. */
const EXPRESSION = `cron(${many(60, String).join(',')} ${many(24, String).join(',')} ? * MON *)`

const CONTACT = 'contact-1'
const BOUND = { largest: '10', daily: '100' }
const APPROVERS = { twoAbove: '100', approvers: ['treasury/*'], requesterMayApprove: false }
const TIME_ZONE = 'America/Argentina/ComodRivadavia'
const GUARDS = {
  ...{ total: BOUND, assets: { GBP: BOUND }, contacts: { [CONTACT]: BOUND }, allowedContacts: [CONTACT] },
  ...{ allowedMarkets: ['BTC-GBP'], worstSlippageBps: 50, dailyWindow: 'rolling' },
  quietHours: [{ days: ['SUN'], from: '22:00', to: '06:00', timeZone: TIME_ZONE }],
  approval: { above: '10', assets: { GBP: '10' }, contacts: { [CONTACT]: '10' }, ...APPROVERS },
}

const everyKind = (index: number) => ({
  ...{ was: named(index, 48, 'w'), mode: 'shadow', guards: GUARDS, runLifeSeconds: 86_400, valuationAsset: 'EUR' },
  approval: { above: '10', expiresAfterSeconds: 604_800, priceBoundBps: 10, ...APPROVERS },
  ...{ breaker: { failures: 100, largestFallBps: 100 }, hubs: ['USDC'] },
  schedule: {
    ...{ expression: EXPRESSION, timeZone: TIME_ZONE, retries: 10, maxEventAgeSeconds: 86_400 },
    ...{ start: '2026-12-01T01:00:00+01:00', end: '2027-12-01T00:00:00Z' },
  },
})

const FEE_TERMS = { contactId: CONTACT, feeMode: 'deduct', feeCeilingBps: 10, smallest: '1' }
const KEEP = { target: '1', trigger: '2' }
const SIZES = {
  ...{ smallestTrade: '1', largestTrade: '2', turnover: { run: '2', day: '3' }, reserve: { GBP: '1' } },
  ...{ band: { of: 'relative', bps: 10 }, coolDownSeconds: 60, leaveAlone: ['DOGE'] },
}
/** Guards of a policy that sends to no contact. */
const INSIDE = { ...GUARDS, contacts: {} }

/** Own fields of each kind, with each of its choices. The rest of the policies fund, because those may have schedules. */
const SINGLE_POLICIES: readonly object[] = [
  { kind: PolicyKind.Rebalance, guards: INSIDE, weights: { GBP: '1' }, ...SIZES },
  { kind: PolicyKind.Rebalance, guards: INSIDE, amounts: { GBP: '10' }, ...SIZES },
  {
    kind: PolicyKind.ConvertOnArrival,
    guards: INSIDE,
    ...{ asset: 'GBP', into: 'BTC', keep: KEEP, onDeposit: true },
    smallestTrade: '1',
  },
  {
    kind: PolicyKind.Sweep,
    rules: [
      { assets: ['GBP'], keep: KEEP, ...FEE_TERMS, convertInto: 'BTC', canary: true },
      { allBut: ['GBP'], keep: KEEP, ...FEE_TERMS, canary: true },
    ],
  },
  { kind: PolicyKind.ConvertAndWithdraw, ...{ from: 'GBP', into: 'BTC', amount: '5', keep: KEEP }, ...FEE_TERMS },
  ...many(MOST_POLICIES_WITH_FILES, (index) => ({
    ...{ kind: PolicyKind.Payouts, assets: ['GBP'], reserve: { GBP: '1' }, from: [{ asset: 'EUR', keep: '1' }] },
    ...{ feeMode: 'add', feeCeilingBps: 10, rows: [], schedule: undefined },
    files: { bucket: named(index, 63, 'b'), prefix: `${named(index, 99, 'p')}/` },
  })),
]

const fund = (index: number) => ({
  ...{ kind: PolicyKind.Fund, guards: INSIDE, asset: `A${index}`, atLeast: '1', target: '2', smallestTrade: '1' },
  from: [{ asset: 'GBP', keep: '1' }],
})

const POLICIES = Object.fromEntries(
  many(MOST_POLICIES, (index) => [
    named(index, 48),
    { ...everyKind(index), ...(SINGLE_POLICIES[index] ?? fund(index)) },
  ]),
)

const ACCOUNT_OF_BOOKS = 'Assets:Sluice'

export type Receiver = 'sns' | 'webhook' | 'topicArn'
export const RECEIVERS: readonly Receiver[] = ['sns', 'webhook', 'topicArn']

const topic = (letter: string) => `arn:aws-us-gov:sns:us-gov-west-1:123456789012:${letter.repeat(256)}`

/** Returns the file as a JSON object. All notices have the same kind of receiver. */
export function largestFile(receiver: Receiver) {
  const about = ['needs-a-person', 'waits-for-approval', 'halted', 'run-ended']
  const to = (index: number) =>
    receiver === 'sns'
      ? { sns: everyAddress(`notice-${index}`) }
      : receiver === 'topicArn'
        ? { topicArn: topic('n') }
        : { webhook: { secret: secret(`notice-${index}`), shape: 'slack' } }
  const roleKey = (role: string) => ({ secret: secret(role), kmsKey: alias(role) })
  return {
    $schema: './treasury.schema.json',
    environment: 'e'.repeat(16),
    service: {
      url: `https://${'u'.repeat(240)}`,
      stage: 'test',
      shared: false,
      keySecret: secret('all'),
      keys: { read: roleKey('read'), trade: roleKey('trade'), transfer: roleKey('transfer') },
    },
    resumedBy: 'two-people',
    timing: {
      ...{ tokenLifeSeconds: 60, leewaySeconds: 600, visibilitySeconds: 600, orderVisibilitySeconds: 600 },
      ...{ quoteMarginMs: 4000, attempts: 20, intentLifeSeconds: 86_400, pollInsideSeconds: 20 },
      ...{ pollFirstWaitSeconds: 600, pollLongestWaitSeconds: 3600, pollWaits: 500, bankPayoutHours: 336 },
    },
    guards: { ...GUARDS, dailyOutflow: { GBP: '100' }, valuationAsset: 'EUR', snapshotSeconds: 60 },
    policies: POLICIES,
    waives: Object.fromEntries(
      ['splitKeys', 'allowedContacts', 'dailyBounds', 'verifiedPeople', 'resumedBy'].map((each) => [each, 'a test']),
    ),
    concurrency: 'reserved',
    books: {
      accounts: Object.fromEntries(
        ['holdings', 'deposits', 'withdrawals', 'conversions', 'fees', 'others', 'adjustments', 'opening'].map(
          (kind) => [kind, ACCOUNT_OF_BOOKS],
        ),
      ),
      ...{ assets: { GBP: ACCOUNT_OF_BOOKS }, payees: { [CONTACT]: ACCOUNT_OF_BOOKS } },
      directions: { FEE_REBATE: 'in' },
    },
    webhooks: { signatureHeader: 'X'.repeat(64), mostAtOnce: 1000 },
    requesters: many(50, (index) => String(100_000_000_000 + index)),
    encryption: {
      ...{ secrets: encrypts('us-gov-west-1'), journal: encrypts('us-gov-west-1'), logs: encrypts('us-gov-west-1') },
      copies: encrypts('us-gov-east-1'),
    },
    journal: { copyRegion: 'us-gov-east-1' },
    notices: many(10, (index) => ({
      ...{ name: named(index, 24), to: to(index), about, policies: Object.keys(POLICIES), consolePort: 65_535 },
    })),
    aws: {
      ...{ account: '123456789012', region: 'us-gov-west-1' },
      tags: Object.fromEntries(many(30, (index) => [named(index, 10, 'k'), 'v'.repeat(index === 0 ? 36 : 16)])),
      permissionsBoundary: `arn:aws-us-gov:iam::123456789012:policy/${'b'.repeat(128)}`,
      deployRoles: many(
        5,
        (index) => `arn:aws-us-gov:iam::123456789012:role/${'p'.repeat(128)}/${named(index, 64, 'r')}`,
      ),
      rolePath: `${`/${'p'.repeat(63)}`.repeat(7)}/${'p'.repeat(62)}/`,
      logRetentionDays: 3653,
      ...(receiver === 'topicArn' && {
        eventBus: `arn:aws-us-gov:events:us-gov-west-1:123456789012:event-bus/${'b'.repeat(128)}`,
        journalTable: `arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/${'j'.repeat(128)}`,
      }),
      vpc: {
        id: `vpc-${'0'.repeat(17)}`,
        subnets: Array.from({ length: 16 }, (_, at) => `subnet-${String(at).padStart(17, '0')}`),
        securityGroups: Array.from({ length: 5 }, (_, at) => `sg-${String(at).padStart(17, '0')}`),
      },
      proxy: {
        url: `https://${'p'.repeat(253)}:65535/`,
        except: many(10, (index) => `*.${named(index, 99, 'h')}:65535`),
      },
      certificateAuthorities: many(10, () => AUTHORITY),
    },
    alarms: {
      ...(receiver === 'topicArn'
        ? { topics: { page: topic('a'), ticket: topic('b') }, page: [], ticket: [] }
        : { page: everyAddress('page'), ticket: everyAddress('ticket') }),
      topicArn: `arn:aws-us-gov:sns:us-gov-west-1:123456789012:${'t'.repeat(256)}`,
    },
  }
}

export function largestTreasury(receiver: Receiver): Treasury {
  return parseTreasury(JSON.stringify(largestFile(receiver)))
}
