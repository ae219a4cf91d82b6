// What each field of treasury.json bounds, in the treasury's words, and which way it loosens. A field without a rule is told
// as it is written. Pure.

/** A bound that a number or an amount sets. */
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
  /** Of one entry. */
  readonly name: string
  /** Of an entry that is new, and of one that is gone. */
  readonly added: string
  readonly removed: string
  /** Whether an entry more lets more pass. */
  readonly looser: 'more' | 'fewer'
  /** Without the list everything is allowed. */
  readonly isOptional?: true
}

/** A word that loosens: any other tightens. */
export interface WordRule {
  readonly kind: 'word'
  readonly name: string
  readonly looser: (was: unknown, is: unknown) => boolean | undefined
}

export type ChangeRule = BoundRule | ListRule | WordRule

const bound = (name: string, unit: string, more: Partial<BoundRule> = {}): BoundRule => ({
  ...{ kind: 'bound', name, looser: 'higher' },
  ...(unit !== '' && { unit }),
  ...more,
})
const optional = { isOptional: true } as const
const BPS = 'basis points'

/** By the end of a field's path; `*` is any one part. The first that fits counts. */
const RULES: readonly (readonly [string, ChangeRule])[] = [
  ['worstSlippageBps', bound('the worst price of a conversion', BPS, optional)],
  ['maxSlippageBps', bound('the worst price of a conversion', BPS, optional)],
  ['dailyOutflow.*', bound('the most that may leave in a day', '', optional)],
  ['total.largest', bound('the largest movement in value', '', optional)],
  ['total.daily', bound('the value of all movements of a day', '', optional)],
  ['assets.*.largest', bound('the largest movement of the asset', '', optional)],
  ['assets.*.daily', bound('what the asset may give up in a day', '', optional)],
  ['contacts.*.largest', bound('the largest payment to the contact', '', optional)],
  ['contacts.*.daily', bound('what the contact may be paid in a day', '', optional)],
  ['snapshotSeconds', bound('the age of figures that a plan may use', 'seconds')],
  ['approval.above', bound('the value that goes without approval', '', optional)],
  ['approval.expiresAfterSeconds', bound('how long an approval holds', 'seconds')],
  ['approval.priceBoundBps', bound('how far prices may move after an approval', BPS)],
  ['breaker.failures', bound('failures in a row before the policy halts', '')],
  ['breaker.largestFallBps', bound('the fall in value before the policy halts', BPS, optional)],
  ['runLifeSeconds', bound('how long after its plan a run may send', 'seconds')],
  ['feeCeilingBps', bound('the highest fee', BPS, optional)],
  ['keep.target', bound('what stays of an asset', '', { looser: 'lower' })],
  ['leewaySeconds', bound('how long a dead token may still pass', 'seconds', { looser: 'lower' })],
  ['visibilitySeconds', bound('how long a withdrawal may stay unseen', 'seconds', { looser: 'lower' })],
  ['orderVisibilitySeconds', bound('how long an order may stay unseen', 'seconds', { looser: 'lower' })],
  [
    'allowedContacts',
    {
      ...{ kind: 'list', name: 'contact', looser: 'more', isOptional: true },
      ...{ added: 'newly allowed', removed: 'no longer allowed' },
    },
  ],
  [
    'allowedMarkets',
    {
      ...{ kind: 'list', name: 'market', looser: 'more', isOptional: true },
      ...{ added: 'newly allowed', removed: 'no longer allowed' },
    },
  ],
  [
    'requesters',
    {
      ...{ kind: 'list', name: 'AWS account', looser: 'more' },
      ...{ added: 'may newly ask for movements', removed: 'may no longer ask for movements' },
    },
  ],
  [
    'quietHours',
    { ...{ kind: 'list', name: 'quiet hours', looser: 'fewer' }, ...{ added: 'new', removed: 'taken away' } },
  ],
  ['mode', { kind: 'word', name: 'mode', looser: (_was, is) => is === 'live' }],
  ['canary', { kind: 'word', name: 'a small amount first to a new contact', looser: (_was, is) => is !== true }],
  // Whoever is paid newly is a loosened bound, whoever was paid before.
  ['contactId', { kind: 'word', name: 'who is paid', looser: () => true }],
  [
    'waives.*',
    { kind: 'word', name: 'a precaution of the stage live that is waived', looser: (_was, is) => is !== undefined },
  ],
  ['service.shared', { kind: 'word', name: 'whether others write to the account', looser: () => undefined }],
]

/** `path`: names of fields, from the root of treasury.json on. */
export function ruleOf(path: readonly string[]): ChangeRule | undefined {
  return RULES.find(([pattern]) => {
    const parts = pattern.split('.')
    const end = path.slice(-parts.length)
    return end.length === parts.length && parts.every((part, index) => part === '*' || part === end[index])
  })?.[1]
}
