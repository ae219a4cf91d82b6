// Names the journal's table and the keys of its records (docs/movement-protocol.md, "The records"). A record never expires. It
// is one item, and a long one has pages beside it. Names and shapes only: the code that reads a record checks its content.

/** Fixed, because a table under another name would be an empty journal. */
export const JOURNAL_TABLE = 'sluice-journal'

/** The table's only key attribute. */
export const RECORD_KEY = 'pk'

/** Format of a single record, written into it. It is raised when the previous release would misread a record. */
export const RECORD_FORMAT = 1

/**
 * Format of the journal as a whole: which records exist, and how their keys are built. It is written into `A#journal`
 * once and never changed there. It is raised when a release looks for a record under another key than the previous
 * release.
 */
export const JOURNAL_FORM = 1

/** The chain over a record's versions (core/journal/record-chain.ts): hash of this version, and of the previous one. */
export const CHAIN_KEY = 'chain'
export const BEFORE_KEY = 'before'

/** In a record that is too long for one item: the lists that pages hold. */
export const PAGES_KEY = 'pages'

/** The index by which the audit lists intents. An item without this attribute is in no list. */
export const LISTED_INDEX = 'listed'
export const LISTED_KEY = 'listed'

/** The index by time of request: its hash attribute and its sort attribute. */
export const ASKED_INDEX = 'asked'
export const ASKED_KEY = 'asked'
export const ASKED_AT_KEY = 'askedAt'

/** Lists of the index by time: one for each kind of intent, and one for runs of policies. */
export const RequestList = { Convert: 'convert', Withdraw: 'withdraw', Run: 'run' } as const
export type RequestList = (typeof RequestList)[keyof typeof RequestList]

/** The list of records of people's acts, by the latest act of each record. */
export const PEOPLES_ACTS = 'people'

/** Name of the list of one kind and month (`YYYY-MM`). Separate kinds make a rare kind quick to find. */
export function requestListIn(list: RequestList | typeof PEOPLES_ACTS, month: string): string {
  return `ASKED#${list}#${month}`
}

export const listing = {
  /** Intents that have not ended, or that wait for a person. */
  open: 'OPEN',
  /** Intents with a movement, by the hour since the epoch in which the attempt was armed. */
  doneInHour: (hour: number): string => `DONE#${hour}`,
  /** Runs of one policy in a month (`YYYY-MM`). */
  runsOfPolicy: (policy: string, month: string): string => `RUNS#${policy}#${month}`,
  openRuns: 'RUNS#OPEN',
  /** Runs settled with a leg in doubt or stuck. Meanwhile they are in no list of their policy. */
  runsInNeed: 'RUNS#NEED',
  /** Memories of the policies that have stranded balances. */
  residues: 'RESIDUES',
  /** Memories of all other policies, by the day (UTC, YYYY-MM-DD) on which the policy last moved something. */
  movedOn: (day: string): string => `MOVED#${day}`,
  /** Movements that people declared foreign, by the day (UTC, YYYY-MM-DD) of the declaration. */
  foreignOn: (day: string): string => `FOREIGN#${day}`,
  /** Halts and trips in force. */
  halts: 'HALTS',
} as const

/** Prefix of the key of every intent, of either kind. */
export const ANY_INTENT = 'I#'

/** In place of a run's id, in the key of what one person approved alone. No run can have this id. */
export const ALONE = '(alone)'

export const recordKey = {
  /** The kind is part of the key, so that a function may write one kind only, and both kinds may use the same id. */
  intent: (kind: IntentKind, intentId: string): string => `${ANY_INTENT}${intentName(kind, intentId)}`,
  /** Ids are unique only within their kind: an order and a withdrawal may have the same id. */
  claim: (kind: IntentKind, movementId: string): string => `C#${kind}#${movementId}`,
  /** A person's declaration that a movement is foreign. No function of a run writes it. */
  foreign: (kind: IntentKind, movementId: string): string => `O#${kind}#${movementId}`,
  /** The pin: the account at the service whose movements this journal records. */
  account: 'A#account',
  /** The identity of the table. A restored or replaced table has another id, and is refused. */
  journal: 'A#journal',
  /** When the keys were verified for this deployment. Before that, schedules wait. */
  verified: 'A#verified',
  /** The names of each policy that had several. The audit and the start of a desk write it, and no step of a run does. */
  policyNames: 'A#names',
  /** Neither part contains `#`: the account's id is percent-encoded. */
  lane: (account: string, assetSymbol: string): string => `L#${encodeURIComponent(account)}#${assetSymbol}`,
  /** The withdrawals of an asset, in any spelling, whose records the journal has lost. They keep its lanes closed. */
  lostOf: (assetSymbol: string): string => `X#${assetSymbol.toLowerCase()}`,
  /** `scope` is a policy's name, or `*` for all. `day` is YYYY-MM-DD, UTC. */
  budget: (scope: string, day: string, assetSymbol: string): string => `B#${scope}#${day}#${assetSymbol}`,
  /** Amounts that movements take from an asset with a floor, as long as its balance may not show them. */
  inFlight: (assetSymbol: string): string => `F#${assetSymbol}`,
  /**
   * Halts by people of a scope: a policy's name, or `*` for everything. ThrowSwitch and Resume write it for people, and
   * no step of a run may.
   */
  halt: (scope: string): string => `H#${scope}`,
  /** An earlier version of `halt`, for the log of people. No send depends on it. No scope has a `#` in its name. */
  pastHalt: (scope: string, version: number): string => `H#${scope}#${version}`,
  /**
   * One trip of a policy's breaker, counted from 1. The trip is in force until the record of people's halts names it.
   */
  trip: (policy: string, trip: number | '*'): string => `T#${policy}#${trip}`,
  /** A run of a policy: its plan, its legs and their results. */
  run: (runId: string): string => `R#${runId}`,
  /** A part of a long list that another record names, under the hash of its entries. It never changes. */
  page: (hash: string): string => `G#${hash}`,
  /** Decisions of people on one plan of a run. No function that plans or sends writes it. */
  decisions: (runId: string, planHash: string): string => `D#${runId}#${planHash}`,
  /** Decisions of people on one movement, by its intent and the hash of its terms. */
  movementDecisions: (kind: IntentKind, intentId: string, termsHash: string): string =>
    `D#${intentName(kind, intentId)}#${termsHash}`,
  /** Approvals that one person gave alone in the last 24 hours. No run can have this id. */
  approvedAlone: (person: string): string => `D#${ALONE}#${encodeURIComponent(person)}`,
  /** Who asked for a run, written before the run starts. No step of a run writes it. */
  requester: (runId: string): string => `Q#${runId}`,
  /** A person's statement about an intent in doubt, for the log of people. `at`: the time of the statement. */
  resolved: (kind: IntentKind, intentId: string, at: string): string =>
    `Y#resolved#${intentName(kind, intentId)}#${at}`,
  /** Who asked for a single movement, for the log of people and for lists. No step reads it. */
  asked: (kind: IntentKind, intentId: string): string => `Y#asked#${intentName(kind, intentId)}`,
  /** That a person wrote off what runs of a policy left on their way, for the log of people. */
  released: (policy: string, at: string): string => `Y#released#${policy}#${at}`,
  /**
   * The newest version of treasury.json that moved this journal's money, for the log of people. No step that sends money
   * writes it.
   */
  configuration: 'Y#configuration',
  /** An earlier version of `configuration`, kept before the next version replaces it. */
  pastConfiguration: (version: number): string => `Y#configuration#${version}`,
  /** A policy's memory between runs: the run in charge, failures in a row, time of the last trade. */
  policy: (name: string): string => `P#${name}`,
  /** A received webhook, by the hash of its bytes. */
  event: (hash: string): string => `E#${hash}`,
  /** Requests taken from the service's rate limit in the current window. It says nothing about movements. */
  turns: 'S#turns',
  /** A person's signed request that this function accepted, by the hash of its signature. It is never accepted again. */
  spoken: (verb: string, signatureHash: string): string => `N#${verb}#${signatureHash}`,
  /** How far a walk over records or movements has got. */
  watermark: (walk: string): string => `W#${walk}`,
} as const

/**
 * Holder of the claims on movements that a person declared foreign, so that no intent can claim them. No intent can
 * have this id. Withdraw and Order may write claims, so only `recordKey.foreign` proves that a person declared it.
 */
export const FOREIGN = '(foreign)'

/** Prefix of the holder that sums up all DONE intents in a record of reservations. No intent can have such an id. */
const SETTLED_HOLDER = '(settled '

/**
 * Holder for the record of one day (YYYY-MM-DD, UTC), with the end of the time in which its movements could move.
 * `untilSeconds`: epoch seconds; undefined: the end of the day.
 */
export function settledHolder(day: string, untilSeconds: number | undefined): string {
  return `${SETTLED_HOLDER}${day}${untilSeconds === undefined ? '' : ` ${untilSeconds}`})`
}

export function isSettledHolder(holder: string): boolean {
  return holder.startsWith(SETTLED_HOLDER)
}

export const AUDIT_WALK = 'reconcile'

export const IntentKind = { Convert: 'convert', Withdraw: 'withdraw' } as const
export type IntentKind = (typeof IntentKind)[keyof typeof IntentKind]

/** Name of an intent in budgets, floors and index lists. It tells apart intents of the two kinds with the same id. */
export type IntentName = `${IntentKind}#${string}`

export function intentName(kind: IntentKind, intentId: string): IntentName {
  return `${kind}#${intentId}`
}

/** Undefined for a text that names no intent. */
export function findIntentName(name: string): { readonly kind: IntentKind; readonly intentId: string } | undefined {
  const kind = Object.values(IntentKind).find((each) => name.startsWith(`${each}#`))
  return kind && { kind, intentId: name.slice(kind.length + 1) }
}

/** States of an intent. DONE means exactly one movement. REJECTED and EXHAUSTED mean a certified zero. */
export const IntentState = {
  Ready: 'READY',
  Armed: 'ARMED',
  Done: 'DONE',
  Rejected: 'REJECTED',
  Exhausted: 'EXHAUSTED',
  /** In doubt beyond what a machine may decide. A person decides by the evidence. */
  Escalated: 'ESCALATED',
} as const
export type IntentState = (typeof IntentState)[keyof typeof IntentState]

/** The purpose of a stranded balance: in a hub, or converted for one contact. */
export interface BalanceOwner {
  /** Settled code. */
  readonly asset: string
  /** Only for a policy that withdraws: the contact that was to receive it. */
  readonly contactId?: string | undefined
}

/** Separator. An asset's code contains no space, while a contact's id may contain anything. */
const BETWEEN = ' '

/** The key under which a policy remembers the amount. */
export function balanceKey({ asset, contactId }: BalanceOwner): string {
  return contactId === undefined ? asset : `${asset}${BETWEEN}${contactId}`
}

export function ownerOf(key: string): BalanceOwner {
  const at = key.indexOf(BETWEEN)
  return at < 0 ? { asset: key } : { asset: key.slice(0, at), contactId: key.slice(at + BETWEEN.length) }
}
