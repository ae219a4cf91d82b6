// The journal's table and the keys of its records (docs/movement-protocol.md, The records). One item each, never
// expired. Names and shapes only: what a record holds is checked where it is read.

/** Fixed: a table under another name would be an empty journal. */
export const JOURNAL_TABLE = 'sluice-journal'

/** The table's only key attribute. */
export const RECORD_KEY = 'pk'

/** The form of each record, written into it. Raised where the release before would read a record wrongly. */
export const RECORD_FORMAT = 1

/**
 * The form of the journal as a whole: which records there are, and what their keys are made of. Written into `A#journal`
 * once, and never changed there. Raised where a release would look for a record under another key than the release before.
 */
export const JOURNAL_FORM = 1

/** The chain over the versions of a record (core/journal/record-chain.ts): of this version, and of the one before. */
export const CHAIN_KEY = 'chain'
export const BEFORE_KEY = 'before'

/** The index by which the audit lists intents. An item without the attribute is in no list. */
export const LISTED_INDEX = 'listed'
export const LISTED_KEY = 'listed'

/** The index by the time of what was asked for: its hash attribute and its sort attribute. */
export const ASKED_INDEX = 'asked'
export const ASKED_KEY = 'asked'
export const ASKED_AT_KEY = 'askedAt'

/** Of what was asked for: a kind of intents, or runs of policies. */
export const AskedList = { Convert: 'convert', Withdraw: 'withdraw', Run: 'run' } as const
export type AskedList = (typeof AskedList)[keyof typeof AskedList]

/** One list for each kind and month (`YYYY-MM`), so that what is seldom asked for is found among what is not. */
export function askedIn(list: AskedList, month: string): string {
  return `ASKED#${list}#${month}`
}

/** Lists of intents and of runs. */
export const listing = {
  /** Those that are not at an end, or wait for a person. */
  open: 'OPEN',
  /** Those with a movement, by the hour since the epoch in which its attempt was armed. */
  doneInHour: (hour: number): string => `DONE#${hour}`,
  /** Runs of a month, by `YYYY-MM`: of one policy, and of all. */
  runsOfPolicy: (policy: string, month: string): string => `RUNS#${policy}#${month}`,
  /** Runs that are not at an end. */
  openRuns: 'RUNS#OPEN',
  /** Runs that were settled with a leg in doubt or stuck: in no list of their policy meanwhile. */
  runsInNeed: 'RUNS#NEED',
  /** What policies remember that have left something on its way. */
  residues: 'RESIDUES',
  /** What other policies remember, by the day (UTC, YYYY-MM-DD) on which one moved something last. */
  movedOn: (day: string): string => `MOVED#${day}`,
  /** Movements that people declared to be others', by the day (UTC, YYYY-MM-DD) of that word. */
  foreignOn: (day: string): string => `FOREIGN#${day}`,
  /** Halts and trips in force. */
  halts: 'HALTS',
} as const

/** What begins the key of every intent, of either kind. */
export const ANY_INTENT = 'I#'

export const recordKey = {
  /** The kind is part of the key: so a function may write intents of one kind, and an id of one kind may be one of the other. */
  intent: (kind: IntentKind, intentId: string): string => `${ANY_INTENT}${intentName(kind, intentId)}`,
  /** Ids are unique only within their kind: an order and a withdrawal may have the same one. */
  claim: (kind: IntentKind, movementId: string): string => `C#${kind}#${movementId}`,
  /** The word of a person that a movement is others'. No function of a run writes it. */
  foreign: (kind: IntentKind, movementId: string): string => `O#${kind}#${movementId}`,
  /** The account at the service whose movements this journal is about. */
  account: 'A#account',
  /** The table that this journal was written in: one that was restored or replaced has another id, and is refused. */
  journal: 'A#journal',
  /** Since when keys are known to work here: until then schedules wait. */
  verified: 'A#verified',
  /** Account and asset hold no `#`: the account's id is percent-encoded. */
  lane: (account: string, assetSymbol: string): string => `L#${encodeURIComponent(account)}#${assetSymbol}`,
  /** The withdrawals of an asset whose records the journal has lost, in any spelling of it: they keep its lanes closed. */
  lostOf: (assetSymbol: string): string => `X#${assetSymbol.toLowerCase()}`,
  /** `scope` is a policy's name, or `*` for all; `day` is YYYY-MM-DD, UTC. */
  budget: (scope: string, day: string, assetSymbol: string): string => `B#${scope}#${day}#${assetSymbol}`,
  /** What movements take of an asset that is to keep a floor, and its balance may not show yet. */
  inFlight: (assetSymbol: string): string => `F#${assetSymbol}`,
  /** The word of people on a scope: a policy's name, or `*` for everything. No function writes it. */
  halt: (scope: string): string => `H#${scope}`,
  /** One trip of a policy's breaker, counted from 1. In force until the record of people names it. */
  trip: (policy: string, trip: number | '*'): string => `T#${policy}#${trip}`,
  /** A run of a policy: its plan, its legs, what became of them. */
  run: (runId: string): string => `R#${runId}`,
  /** What people said of one plan of a run. No function that plans or sends writes it. */
  decisions: (runId: string, planHash: string): string => `D#${runId}#${planHash}`,
  /** What people said of one movement, by its intent and the hash of its terms. */
  movementDecisions: (kind: IntentKind, intentId: string, termsHash: string): string =>
    `D#${intentName(kind, intentId)}#${termsHash}`,
  /** What one person alone approved in the last 24 hours. No run has such an id. */
  approvedAlone: (person: string): string => `D#(alone)#${encodeURIComponent(person)}`,
  /** Who asked for a run, written before it is started. No step of a run writes it. */
  requester: (runId: string): string => `Q#${runId}`,
  /** What a policy remembers from run to run: who runs, failures in a row, when it traded. */
  policy: (name: string): string => `P#${name}`,
  /** A webhook that was received, by the hash of its bytes. */
  event: (hash: string): string => `E#${hash}`,
  /** What attempts have taken of the service's rate limit in the window that runs. It says nothing of what moved. */
  turns: 'S#turns',
  /** A word of a person that was taken, by the hash of its signature: it is not taken twice. */
  spoken: (signatureHash: string): string => `N#${signatureHash}`,
  /** Up to where something has been walked. */
  watermark: (walk: string): string => `W#${walk}`,
} as const

/**
 * Holds the claims on movements that a person declared to be others', so that no intent can claim them. No intent can have
 * this id. Withdraw and Order may write claims: that a person said so is proven by `recordKey.foreign` alone.
 */
export const FOREIGN = '(foreign)'

/** What stands for all intents that are DONE in a record of reservations. No intent can have such an id. */
const SETTLED_HOLDER = '(settled '

/** Of one day's record (YYYY-MM-DD, UTC), and of what could move until then (epoch seconds; absent: until the end of the day). */
export function settledHolder(day: string, untilSeconds: number | undefined): string {
  return `${SETTLED_HOLDER}${day}${untilSeconds === undefined ? '' : ` ${untilSeconds}`})`
}

export function isSettledHolder(holder: string): boolean {
  return holder.startsWith(SETTLED_HOLDER)
}

/** Names the watermark of the audit. */
export const AUDIT_WALK = 'reconcile'

/** What an intent moves. */
export const IntentKind = { Convert: 'convert', Withdraw: 'withdraw' } as const
export type IntentKind = (typeof IntentKind)[keyof typeof IntentKind]

/** Tells an intent from that of the other kind with the same id: in budgets, in floors and in lists of the index. */
export type IntentName = `${IntentKind}#${string}`

export function intentName(kind: IntentKind, intentId: string): IntentName {
  return `${kind}#${intentId}`
}

/** Undefined for a text that names no intent. */
export function findIntentName(name: string): { readonly kind: IntentKind; readonly intentId: string } | undefined {
  const kind = Object.values(IntentKind).find((each) => name.startsWith(`${each}#`))
  return kind && { kind, intentId: name.slice(kind.length + 1) }
}

/** States of an intent. DONE means exactly one movement, whatever became of it; REJECTED and EXHAUSTED mean zero, certified. */
export const IntentState = {
  Ready: 'READY',
  Armed: 'ARMED',
  Done: 'DONE',
  Rejected: 'REJECTED',
  Exhausted: 'EXHAUSTED',
  /** In doubt beyond what a machine may decide: a person does, with evidence. */
  Escalated: 'ESCALATED',
} as const
export type IntentState = (typeof IntentState)[keyof typeof IntentState]
