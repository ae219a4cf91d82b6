// The largest treasury.json that the schema takes, in what the templates depend on: every list full, every name and
// address at its longest. A test shows that one more of each is refused.
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

export type Receiver = 'sns' | 'webhook' | 'topicArn'

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
    policies: Object.fromEntries(
      many(100, (index) => [
        named(index, 48),
        {
          ...{ kind: 'fund', asset: `A${index}`, atLeast: '1', from: [{ asset: 'GBP' }], mode: 'shadow' },
          schedule: { expression: EXPRESSION, timeZone: 'America/Argentina/ComodRivadavia', retries: 10 },
        },
      ]),
    ),
    webhooks: { signatureHeader: 'X'.repeat(64), mostAtOnce: 1000 },
    requesters: many(50, (index) => String(100_000_000_000 + index)),
    encryption: {
      ...{ secrets: encrypts('us-gov-west-1'), journal: encrypts('us-gov-west-1'), logs: encrypts('us-gov-west-1') },
      copies: encrypts('us-gov-east-1'),
    },
    journal: { copyRegion: 'us-gov-east-1' },
    notices: many(10, (index) => ({ name: named(index, 24), to: to(index), about })),
    aws: {
      ...{ account: '123456789012', region: 'us-gov-west-1' },
      tags: Object.fromEntries(many(30, (index) => [named(index, 10, 'k'), 'v'.repeat(index === 0 ? 36 : 16)])),
      permissionsBoundary: `arn:aws-us-gov:iam::123456789012:policy/${'b'.repeat(128)}`,
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
