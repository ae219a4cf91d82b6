// Lists the changes of treasury.json that a deployment must survive, as walks from one configuration to the next. Each
// is a change that a team makes in its second year.
import type { Treasury } from '../../core/contract/treasury.ts'
import { parseTreasury } from '../../core/treasury/config.ts'

/** Step that deletes all stacks. Retained resources stay. */
export const TAKEN_DOWN = 'taken down'
export type Step = Treasury | typeof TAKEN_DOWN

export interface Walk {
  readonly name: string
  readonly steps: readonly Step[]
}

const SERVICE = { url: 'https://api.example.com', stage: 'test' }
const HOURLY = {
  kind: 'rebalance',
  weights: { BTC: '0.5', USDC: '0.5' },
  schedule: { expression: 'rate(1 hour)' },
}
const payoutsFrom = (bucket: string) => ({
  ...{ kind: 'payouts', assets: ['EUR'], approval: { above: '0' }, files: { bucket, prefix: 'salaries/' } },
})
const WEBHOOKS = { webhooks: { signatureHeader: 'X-Signature' } }
const ROLE_KEYS = {
  read: { secret: 'sluice/read-key' },
  trade: { secret: 'sluice/trade-key' },
  transfer: { secret: 'sluice/transfer-key' },
}

const SIGNED = { ...ROLE_KEYS, transfer: { secret: 'sluice/transfer-key', kmsKey: 'alias/sluice-transfer' } }
const OTHERS = {
  requesters: ['222222222222', '333333333333'],
  alarms: {
    topicArn: 'arn:aws:sns:eu-west-1:123456789012:on-call',
    page: ['mailto:on-call@example.com', 'https://alerts.example.com/sluice'],
    ticket: ['mailto:desk@example.com'],
  },
}
const NOTIFIED = {
  notices: [
    { name: 'chat', to: { webhook: { secret: 'sluice/chat-hook', shape: 'slack' } }, about: ['halted'] },
    { name: 'mail', to: { sns: ['mailto:desk@example.com'] }, about: ['run-ended'] },
  ],
}
const kmsKey = (region: string, id: string) =>
  `arn:aws:kms:${region}:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890${id}`
const UNDER_OWN_KEYS = {
  encryption: {
    secrets: kmsKey('eu-west-1', '01'),
    journal: kmsKey('eu-west-1', '02'),
    copies: kmsKey('eu-central-1', '03'),
    logs: kmsKey('eu-west-1', '04'),
  },
  journal: { copyRegion: 'eu-central-1' },
}
const UNDER_OTHERS = {
  ...UNDER_OWN_KEYS,
  encryption: { ...UNDER_OWN_KEYS.encryption, journal: kmsKey('eu-west-1', '05'), logs: kmsKey('eu-west-1', '06') },
}
const PLACE = { account: '123456789012', region: 'eu-west-1' }
const OF_A_COMPANY = {
  ...{ ...PLACE, tags: { 'cost-center': '4711' }, permissionsBoundary: 'boundary', logRetentionDays: 3653 },
}
const IN_A_PATH = { ...OF_A_COMPANY, rolePath: '/company/' }
const ON_TABLE = { ...PLACE, journalTable: 'company-records' }
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:company'
const ON_GIVEN = {
  alarms: { topics: { page: TOPIC, ticket: TOPIC } },
  notices: [{ name: 'mail', to: { topicArn: TOPIC }, about: ['run-ended'] }],
}
const WITH_ALARMS = { alarms: { page: ['mailto:on-call@example.com'] } }

const treasury = (service: object, more: object = {}): Treasury =>
  parseTreasury(JSON.stringify({ service: { ...SERVICE, ...service }, ...more }))

const PLAIN = treasury({})

export const WALKS: readonly Walk[] = [
  { name: 'the same again', steps: [PLAIN, PLAIN] },
  {
    name: 'it is taken down, and deployed again',
    steps: [PLAIN, TAKEN_DOWN, PLAIN, TAKEN_DOWN, treasury({ keys: ROLE_KEYS }, WEBHOOKS)],
  },
  { name: 'the key secret is renamed', steps: [PLAIN, treasury({ keySecret: 'sluice/other-key' })] },
  {
    name: 'one key becomes role keys, and back',
    steps: [PLAIN, treasury({ keys: ROLE_KEYS }), PLAIN, treasury({ keys: ROLE_KEYS })],
  },
  {
    name: 'another secret for one role, and back',
    steps: [
      treasury({ keys: ROLE_KEYS }),
      treasury({ keys: { ...ROLE_KEYS, trade: { secret: 'sluice/new-trade-key' } } }),
      treasury({ keys: ROLE_KEYS }),
    ],
  },
  {
    name: 'the address changes with webhooks on',
    steps: [treasury({}, WEBHOOKS), treasury({ url: 'https://api2.example.com' }, WEBHOOKS)],
  },
  {
    name: 'webhooks come, go, and come again',
    steps: [PLAIN, treasury({}, WEBHOOKS), PLAIN, treasury({}, WEBHOOKS)],
  },
  {
    name: 'notices come, change, go, and come again',
    steps: [
      PLAIN,
      treasury({}, NOTIFIED),
      treasury({}, { notices: NOTIFIED.notices.slice(1) }),
      PLAIN,
      treasury({}, { ...NOTIFIED, environment: 'test' }),
      treasury({}, NOTIFIED),
    ],
  },
  {
    name: 'policies and schedules come and go',
    steps: [
      PLAIN,
      treasury({}, { policies: { core: HOURLY } }),
      treasury({}, { policies: { other: HOURLY } }),
      PLAIN,
      treasury({}, { policies: { core: HOURLY } }),
    ],
  },
  {
    name: 'payout files come, move to another bucket, go, and come again',
    steps: [
      PLAIN,
      treasury({}, { policies: { salaries: payoutsFrom('company-payouts') } }),
      treasury({}, { policies: { salaries: payoutsFrom('company-lists') } }),
      PLAIN,
      treasury({}, { policies: { salaries: payoutsFrom('company-payouts') } }),
    ],
  },
  {
    name: 'a policy is renamed, and renamed again',
    steps: [
      treasury({}, { policies: { core: HOURLY } }),
      treasury({}, { policies: { main: { ...HOURLY, was: 'core' } } }),
      treasury({}, { policies: { core: { ...HOURLY, was: 'main' } } }),
    ],
  },
  {
    name: 'who asks, who hears alarms and who signs come and go',
    steps: [
      PLAIN,
      treasury({ keys: SIGNED }, { ...OTHERS, webhooks: { mostAtOnce: 5 } }),
      treasury({}, { ...WEBHOOKS, ...WITH_ALARMS }),
      PLAIN,
    ],
  },
  {
    name: 'KMS keys of one’s own come, change, go, and come again',
    steps: [
      treasury({}, WEBHOOKS),
      treasury({}, { ...WEBHOOKS, ...UNDER_OWN_KEYS }),
      treasury({}, { ...WEBHOOKS, ...UNDER_OTHERS }),
      treasury({}, WEBHOOKS),
      TAKEN_DOWN,
      treasury({}, { ...WEBHOOKS, ...UNDER_OWN_KEYS }),
    ],
  },
  {
    name: 'tags, a boundary and a retention come, change, and go',
    steps: [
      treasury({}, WEBHOOKS),
      treasury({}, { ...WEBHOOKS, aws: OF_A_COMPANY }),
      treasury({}, { ...WEBHOOKS, aws: { ...PLACE, tags: { team: 'treasury' }, logRetentionDays: 30 } }),
      treasury({}, WEBHOOKS),
    ],
  },
  {
    name: 'a bus and topics of the account come, change, and go',
    steps: [
      treasury({}, { ...WEBHOOKS, ...NOTIFIED }),
      treasury({}, { ...WEBHOOKS, ...ON_GIVEN, aws: { ...PLACE, eventBus: 'company' } }),
      treasury({}, { ...WEBHOOKS, ...ON_GIVEN, aws: { ...PLACE, eventBus: 'other' } }),
      treasury({}, { ...WEBHOOKS, ...NOTIFIED }),
    ],
  },
  {
    name: 'a table of the account comes with the first deployment, and again after it was taken down',
    steps: [
      treasury({}, { aws: ON_TABLE }),
      treasury({}, { aws: ON_TABLE }),
      TAKEN_DOWN,
      treasury({}, { aws: ON_TABLE }),
    ],
  },
  {
    name: 'a path of roles comes and goes with the stacks, and the journal stays',
    steps: [PLAIN, TAKEN_DOWN, treasury({}, { aws: IN_A_PATH }), treasury({}, { aws: IN_A_PATH }), TAKEN_DOWN, PLAIN],
  },
  {
    name: 'another environment, and back',
    steps: [PLAIN, treasury({}, { environment: 'test', ...WEBHOOKS }), PLAIN, treasury({}, { environment: 'test' })],
  },
  {
    name: 'everything at once, and back',
    steps: [
      treasury({}, { ...WEBHOOKS, policies: { core: HOURLY } }),
      treasury({ url: 'https://api2.example.com', keys: ROLE_KEYS }),
      treasury({}, { ...WEBHOOKS, policies: { core: HOURLY } }),
    ],
  },
]
