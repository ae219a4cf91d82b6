// Says for each field of treasury.json what it bounds, in words, and which change loosens it. The value of a field
// without a rule is shown unchanged. Pure.

import { X509Certificate } from 'node:crypto'
import { LOG_RETENTION_DAYS } from '../contract/account-settings.ts'
import { nameInArn } from '../contract/deployed-names.ts'
import { findJson } from '../contract/find-json.ts'
import { quietHours } from '../contract/guards.ts'

export interface BoundRule {
  readonly kind: 'bound'
  readonly name: string
  readonly unit?: string
  readonly looser: 'higher' | 'lower'
  /** Without the field nothing is bounded. */
  readonly isOptional?: true
}

/** A list of what is allowed, or of what is forbidden. */
export interface ListRule {
  readonly kind: 'list'
  readonly name: string
  /** Texts for a new entry and for a removed entry. */
  readonly added: string
  readonly removed: string
  /** Whether the list is looser with more entries, or with fewer. */
  readonly looser: 'more' | 'fewer'
  /** Without the list everything is allowed. */
  readonly isOptional?: true
  /** The text of an entry for people, who read no JSON and no secret. */
  readonly shown?: (entry: string) => string
}

/** A field with a rule of its own. `looser`: whether the change loosens; false: it tightens; undefined: neither. */
export interface WordRule {
  readonly kind: 'word'
  readonly name: string
  readonly looser: (was: unknown, is: unknown) => boolean | undefined
}

type ChangeRule = BoundRule | ListRule | WordRule

const bound = (name: string, unit: string, more: Partial<BoundRule> = {}): BoundRule => ({
  ...{ kind: 'bound', name, looser: 'higher' },
  ...(unit !== '' && { unit }),
  ...more,
})
const optional = { isOptional: true } as const
const BPS = 'basis points'

const allowed = (name: string): ListRule => ({
  ...{ kind: 'list', name, looser: 'more', isOptional: true },
  ...{ added: 'newly allowed', removed: 'no longer allowed' },
})
const word = (name: string, looser: WordRule['looser']): WordRule => ({ kind: 'word', name, looser })
/** Any other value loosens, because the earlier bound no longer applies. */
const anyOther = () => true
/** A removed value loosens, and a new one tightens. A different value does neither. */
const whereGone = (was: unknown, is: unknown) => (is === undefined ? true : was === undefined ? false : undefined)
/** A restriction that applies while the field is false. */
const whereOff = (was: unknown, is: unknown) => (is === false ? false : was === false ? true : undefined)
/** The name of a resource and its ARN mean the same: account-rules.ts admits an ARN of this account and region alone. */
const anyOtherNamed = (was: unknown, is: unknown) => (nameOf(was) === nameOf(is) ? undefined : true)
const nameOf = (value: unknown) => (typeof value === 'string' ? nameInArn(value) : undefined)
const whereNew = (was: unknown, is: unknown) => whereGone(is, was)
/** Shorter keeping loses lines that may be evidence. */
const whereShorter = (was: unknown, is: unknown) => Number(is ?? LOG_RETENTION_DAYS) < Number(was ?? LOG_RETENTION_DAYS)
const IN_VALUES = word(
  "the asset in which bounds are valued (with another, the day's sum of values begins at zero)",
  anyOther,
)

/** An address may hold the receiver's key, so only its host is shown. */
const hostOf = (address: string) => address.replace(/^(https:\/\/[^/]+).+/, '$1/…')
/** The last part of its subject, which is its own name, and the beginning of its fingerprint. */
function certificateName(pem: string): string {
  const { fingerprint256, subject } = new X509Certificate(pem)
  return `${subject.split('\n').at(-1)} (SHA-256 ${fingerprint256.slice(0, 23)}…)`
}
const heardBy = (alarms: string): ListRule => ({
  ...{ kind: 'list', name: 'address', looser: 'fewer', shown: hostOf },
  ...{ added: `newly hears ${alarms}`, removed: `no longer hears ${alarms}` },
})

type Rules = readonly (readonly [string, ChangeRule])[]

/** Who approves, and how many: for a policy's runs, and for single movements. */
const APPROVERS: Rules = [
  ['approval.twoAbove', bound('the value that goes with one approval', '', optional)],
  // Absent means true.
  ['approval.requesterMayApprove', word('whether who asked may approve', (was, is) => whereOff(was, is))],
  [
    'approval.approvers',
    {
      ...{ kind: 'list', name: 'approver', looser: 'more', isOptional: true },
      ...{ added: 'may newly approve', removed: 'may no longer approve' },
    },
  ],
]

/** Such as `SAT, SUN 22:00 to 06:00 (UTC)`. `entry`: JSON. Another text is shown unchanged. */
function quietText(entry: string): string {
  const hours = quietHours.safeParse(findJson(entry)).data
  if (hours === undefined) return entry
  const { days, from, to, timeZone } = hours
  const times = from === to ? `from ${from} for 24 hours` : `${from} to ${to}`
  return `${days === undefined ? 'every day' : days.join(', ')} ${times} (${timeZone})`
}

/** Rules for `guards`, and for the guards of each policy. */
const OF_GUARDS: Rules = [
  ['worstSlippageBps', bound('the worst price of a conversion', BPS, optional)],
  ['total.largest', bound('the largest movement in value', '', optional)],
  ['total.daily', bound('the value of all movements of a day', '', optional)],
  ['assets.*.largest', bound('the largest movement of the asset', '', optional)],
  ['assets.*.daily', bound('what the asset may spend in a day', '', optional)],
  ['contacts.*.largest', bound('the largest payment to the contact', '', optional)],
  ['contacts.*.daily', bound('what the contact may be paid in a day', '', optional)],
  ['allowedContacts', allowed('contact')],
  ['allowedMarkets', allowed('market')],
  [
    'quietHours',
    { kind: 'list', name: 'quiet hours', looser: 'fewer', added: 'new', removed: 'taken away', shown: quietText },
  ],
  ['approval.above', bound('the largest movement without approval', '', optional)],
  ['approval.assets.*', bound('what the asset may spend without approval', '', optional)],
  ['approval.contacts.*', bound('what the contact may be paid without approval', '', optional)],
  ...APPROVERS,
  // Any 24 hours hold at least what a calendar day holds.
  ['dailyWindow', word('what a day is', (_was, is) => is !== 'rolling')],
]

/** Rules for all kinds of policies. A field means the same in each kind. */
const OF_POLICIES: Rules = [
  // Another kind is another policy under the same name.
  ['kind', word('kind', anyOther)],
  ['was', word('the name before, which halts and used days may have', (was) => (was === undefined ? undefined : true))],
  ['mode', word('mode', (_was, is) => is === 'live')],
  ['valuationAsset', IN_VALUES],
  ['approval.above', bound('the value that goes without approval', '', optional)],
  ...APPROVERS,
  ['approval.expiresAfterSeconds', bound('how long an approval holds', 'seconds')],
  ['approval.priceBoundBps', bound('how far prices may move after an approval', BPS)],
  ['breaker.failures', bound('failures in a row before the policy halts', '')],
  ['breaker.largestFallBps', bound('the fall in value before the policy halts', BPS, optional)],
  ['runLifeSeconds', bound('how long after its plan a run may send', 'seconds')],
  ['largestTrade', bound('the largest trade', '', optional)],
  ['turnover.run', bound('the value that a run may trade', '', optional)],
  ['turnover.day', bound('the value that the policy may trade in a day', '', optional)],
  ['coolDownSeconds', bound('the rest after a run that traded', 'seconds', { looser: 'lower' })],
  ['reserve.*', bound('what stays of an asset', '', { looser: 'lower', isOptional: true })],
  [
    'leaveAlone',
    { kind: 'list', name: 'asset', looser: 'fewer', added: 'newly left alone', removed: 'no longer left alone' },
  ],
  ['atLeast', bound('below what is bought', '')],
  ['target', bound('up to what is bought', '')],
  ['from.*.asset', word('what may be sold', (_was, is) => is !== undefined)],
  ['from.*.keep', bound('what stays of an asset', '', { looser: 'lower' })],
  // Another place has other writers.
  [
    'files',
    word('where files of payouts come from: whoever writes there asks for payments', (_was, is) => is !== undefined),
  ],
  ['amount', bound('how much is converted and sent', '', optional)],
]

/** Rules for a policy that sends everything itself, and for each rule of a sweep. */
const OF_SENDING: Rules = [
  ['assets', { kind: 'list', name: 'asset', looser: 'more', added: 'newly sent', removed: 'no longer sent' }],
  ['allBut', word('assets that are not sent', (was, is) => whereNew(was, is) ?? isWithout(is, was))],
  ['keep.target', bound('what stays of an asset', '', { looser: 'lower' })],
  // Without a trigger, everything above the target is sent.
  ['keep.trigger', bound('above what an asset is sent', '', { looser: 'lower', isOptional: true })],
  ['feeCeilingBps', bound('the highest fee', BPS, optional)],
  ['canary', word('a small amount first to a new contact', (_was, is) => is !== true)],
  // A new payee is always a loosened bound.
  ['contactId', word('who is paid', anyOther)],
]

const within = (path: string, rules: Rules): Rules => rules.map(([field, rule]) => [`${path}.${field}`, rule])

/** By a field's path from the root; `*` is any one part. */
const RULES: Rules = [
  ['service.stage', word('whose keys move money', (_was, is) => is === 'live')],
  ['service.shared', word('whether others write to the account', () => undefined)],
  ['aws.account', word('the account where it may be deployed', whereGone)],
  ['aws.region', word('the region where it may be deployed', whereGone)],
  // Another network has other rules, which the file does not show.
  ['aws.vpc.id', word('the VPC of the functions', () => undefined)],
  ['aws.vpc.subnets', word('the subnets of the functions', () => undefined)],
  ['aws.vpc.securityGroups', word('the security groups of the functions', () => undefined)],
  // A proxy sees where functions call, and never inside TLS. Only an authority opens that to somebody.
  ['aws.proxy.url', word('the proxy of the functions', () => undefined)],
  ['aws.proxy.except', word('hosts that functions reach without the proxy', () => undefined)],
  [
    'aws.certificateAuthorities',
    {
      ...{ kind: 'list', name: 'certificate', looser: 'more', shown: certificateName },
      ...{ added: 'newly trusted by functions', removed: 'no longer trusted by functions' },
    },
  ],
  // Another bus lets others in, and another journal does not know what has moved.
  ['aws.eventBus', word('the bus that takes requests', anyOtherNamed)],
  ['aws.journalTable', word('the table of the journal', anyOtherNamed)],
  // Tags may decide who has access, by rules of the account that the file does not show.
  ['aws.tags.*', word('a tag of every resource', () => undefined)],
  ['aws.permissionsBoundary', word('what bounds every role', whereGone)],
  ['aws.rolePath', word('the path of every role', () => undefined)],
  [
    'aws.deployRoles',
    {
      ...{ kind: 'list', name: 'role that deploys', looser: 'more' },
      ...{ added: "newly changes the journal's policy", removed: "no longer changes the journal's policy" },
    },
  ],
  ['aws.logRetentionDays', word(`how many days logs are kept (none: ${LOG_RETENTION_DAYS})`, whereShorter)],
  ['encryption.*', word('a KMS key of your own for what is stored', whereGone)],
  ['alarms.topicArn', word('who hears alarms', whereGone)],
  ['alarms.topics.*', word('the topic of alarms', whereGone)],
  ['alarms.page', heardBy('urgent alarms')],
  ['alarms.ticket', heardBy('alarms that can wait')],
  ['concurrency', word('whether halting has concurrency of its own', (_was, is) => is === 'shared')],
  ['webhooks.signatureHeader', word('the header of webhooks, whose address is open to all', whereNew)],
  [
    'requesters',
    {
      ...{ kind: 'list', name: 'AWS account', looser: 'more' },
      ...{ added: 'may newly ask for movements', removed: 'may no longer ask for movements' },
    },
  ],
  ['resumedBy', word('who resumes sending after a halt', whereGone)],
  ['waives.*', word('a precaution of the stage live that is waived', (_was, is) => is !== undefined)],
  ['timing.leewaySeconds', bound('how long a dead token may still pass', 'seconds', { looser: 'lower' })],
  ['timing.visibilitySeconds', bound('how long a withdrawal may stay unseen', 'seconds', { looser: 'lower' })],
  ['timing.orderVisibilitySeconds', bound('how long an order may stay unseen', 'seconds', { looser: 'lower' })],
  ['guards.dailyOutflow.*', bound('the most that may leave in a day', '', optional)],
  ['guards.snapshotSeconds', bound('the age of figures that a plan may use', 'seconds')],
  ['guards.valuationAsset', IN_VALUES],
  ...within('guards', OF_GUARDS),
  ...within('policies.*.guards', OF_GUARDS),
  ...within('policies.*', OF_POLICIES),
  ...within('policies.*', OF_SENDING),
  ...within('policies.*.rules.*', OF_SENDING),
]

/** `path`: names of fields, from the root of treasury.json on. */
export function ruleOf(path: readonly string[]): ChangeRule | undefined {
  return RULES.find(([pattern]) => {
    const parts = pattern.split('.')
    return path.length === parts.length && parts.every((part, index) => part === '*' || part === path[index])
  })?.[1]
}

function isWithout(list: unknown, other: unknown): boolean {
  return Array.isArray(list) && Array.isArray(other) && other.some((entry) => !list.includes(entry))
}
