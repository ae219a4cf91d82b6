// What happened to an intent, as facts in the order in which they happened. `show` lays them out, `show --sentences` makes a
// sentence of each. Shapes only. Times are ISO-8601; amounts are settled decimal strings.
import type { ConvertFill } from '../../core/contract/convert.ts'
import type { GuardCode } from '../../core/contract/outcomes.ts'

/** What a quote promised. */
export interface QuoteTerms {
  readonly market: string
  readonly rate: string
  readonly baseAmount: string
  readonly quoteAmount: string
}

export interface AskedFact {
  readonly fact: 'asked'
  readonly at: string
  /** In words. */
  readonly what: string
  readonly notAfter: string
  readonly policy?: string
  /** The run that it is a leg of. */
  readonly run?: string
  /** The id of the event that asked. */
  readonly requestId?: string
}

/** A later execution went on with it. */
export interface EnteredFact {
  readonly fact: 'entered'
  readonly at?: string
  readonly execution: string
}

export interface CheckedFact {
  readonly fact: 'checked'
  readonly at?: string
  /** What arrives, the fee at that moment, and the most that leaves the account. */
  readonly amount: string
  readonly fee: string
  readonly total: string
  readonly assetSymbol: string
  readonly networkId: string | null
  /** Whom it pays, in words. */
  readonly to: string
}

export interface QuotedFact {
  readonly fact: 'quoted'
  readonly at?: string
  readonly attempt?: number
  readonly orderId: string
  readonly terms: QuoteTerms
  /** Service time; null is unknown. */
  readonly expiresAt: string | null
}

/** Nothing was sent, and nothing was in doubt. */
export interface HeldFact {
  readonly fact: 'held'
  readonly at?: string
  readonly why: string
}

/** What was written down to be sent, and then went out at most once. */
export interface SentFact {
  readonly fact: 'sent'
  /** Service time of the signature. Of an attempt that the journal keeps no more: when its step began. */
  readonly at?: string
  readonly attempt?: number
  readonly orderId?: string
  readonly nonce?: string
  /** The prefix of the key that signed. */
  readonly key?: string
  /** Service time: the request itself says that it ends then. */
  readonly tokenEndsAt?: string
  /** Of a withdrawal: how many rows were there before. */
  readonly knownRows?: number
  readonly movement: 'order' | 'withdrawal'
  /** False where nothing that is kept shows that it left the machine: whoever was to send it may have died before. */
  readonly isCertain: boolean
}

export interface AnsweredFact {
  readonly fact: 'answered'
  readonly at?: string
  /** `accepted unread`: a yes whose row could not be read. `none`: nothing came back. A plain yes is in the proof. */
  readonly answer: 'accepted unread' | 'refused' | 'key refused' | 'failed' | 'none' | 'not recorded'
  readonly code?: string
  readonly status?: number
  readonly text?: string
}

/** What the fence of the attempt is made of. All in service time. */
export interface FenceFacts {
  readonly lastCopyDeadAt: string
  /** When an answer came; absent where none did, or nobody could say when. */
  readonly listenedUntil?: string
  readonly visibilitySeconds: number
}

/** It was not known whether the attempt moved anything, and absence proved nothing until the fence. */
export interface DoubtFact {
  readonly fact: 'doubt'
  readonly at?: string
  /** The fence. Service time. */
  readonly until: string
  readonly movement: 'order' | 'withdrawal'
  readonly why?: string
  /** Absent of an attempt that the journal keeps no more. */
  readonly fence?: FenceFacts
  /** How often the service was looked at meanwhile. Absent where the history is not kept. */
  readonly looks?: number
}

/** The attempt is certified to have moved nothing, and another one may be made. */
export interface AttemptEndedFact {
  readonly fact: 'attempt ended'
  readonly at?: string
  readonly why: string
  /** Whether it was in doubt before, so that the service was looked at past the fence. */
  readonly wasInDoubt: boolean
  readonly movement: 'order' | 'withdrawal'
}

/** A step failed. It was tried again, or the execution came to its end. */
export interface FaultFact {
  readonly fact: 'fault'
  readonly at?: string
  readonly state: string
  readonly error: string
  readonly message: string
}

/** An execution came to a bad end. */
export interface StoppedFact {
  readonly fact: 'stopped'
  readonly at?: string
  readonly execution: string
  readonly status: string
  readonly error?: string
}

export interface ProvenFact {
  readonly fact: 'proven'
  readonly movement: 'order' | 'withdrawal'
  readonly movementId: string
  /** `answer`: the service said yes. `look`: it was found afterwards. Absent where the records do not say which. */
  readonly by?: 'answer' | 'look'
  /** The intent that the movement is tied to; absent: none. */
  readonly claimedBy?: string
}

/** The movement exists and was not at its end. */
export interface MovingFact {
  readonly fact: 'moving'
  readonly at?: string
  readonly why: string
}

/** What became of the movement, as the service told the last step that looked. */
export interface SettledFact {
  readonly fact: 'settled'
  readonly at?: string
  readonly outcome: string
  readonly movement: 'order' | 'withdrawal'
  readonly movementId: string
  readonly why?: string
  readonly market?: string
  readonly rate?: string
  readonly baseAmount?: string
  readonly quoteAmount?: string
  readonly fills?: readonly ConvertFill[]
  readonly assetSymbol?: string
  readonly amount?: string
  readonly fee?: string
  readonly total?: string
  readonly networkId?: string | null
  readonly transactionHash?: string | null
  readonly bankReference?: string | null
}

/** Certified: it moved nothing, and can move nothing any more. */
export interface ZeroFact {
  readonly fact: 'zero'
  readonly at?: string
  readonly outcome: string
  readonly why: string
  readonly guardedBy?: GuardCode
  readonly movement: 'order' | 'withdrawal'
  /** `never armed`: nothing was ever about to be sent. `looked`: past the fence, and nothing was there. */
  readonly evidence: 'never armed' | 'looked' | 'journal' | 'a person'
}

/** A person must say what it moved. */
export interface EscalatedFact {
  readonly fact: 'escalated'
  readonly at?: string
  readonly why: string
  readonly candidates: readonly Readonly<Record<string, unknown>>[]
}

export interface ResolvedFact {
  readonly fact: 'resolved'
  readonly at: string
  readonly by: string
  readonly because: string
  /** Absent: nothing moved. */
  readonly movementId?: string
}

/** How it stands, where it is not at its end. */
export interface OpenFact {
  readonly fact: 'open'
  readonly state: 'READY' | 'ARMED'
  /** Absent where its executions could not be read. */
  readonly isUnderWay?: boolean
  /** Of an attempt in doubt: its fence, in service time. */
  readonly until?: string
  readonly why?: string
}

export type Fact =
  | AskedFact
  | EnteredFact
  | CheckedFact
  | QuotedFact
  | HeldFact
  | SentFact
  | AnsweredFact
  | DoubtFact
  | AttemptEndedFact
  | FaultFact
  | StoppedFact
  | ProvenFact
  | MovingFact
  | SettledFact
  | ZeroFact
  | EscalatedFact
  | ResolvedFact
  | OpenFact

export type FactOf<Name extends Fact['fact']> = Extract<Fact, { readonly fact: Name }>
