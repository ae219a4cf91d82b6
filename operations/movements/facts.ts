// Defines the facts that happened to an intent, in order. `movements show` prints them as a table, or as
// sentences. Shapes only. Times are ISO-8601; amounts are settled decimal strings.
import type { ConvertFill } from '../../core/contract/convert.ts'
import type { GuardCode } from '../../core/contract/outcomes.ts'

interface QuoteTerms {
  readonly market: string
  readonly rate: string
  readonly baseAmount: string
  readonly quoteAmount: string
}

export interface RequestedFact {
  readonly fact: 'asked'
  readonly at: string
  /** In words. */
  readonly what: string
  readonly notAfter: string
  readonly policy?: string
  /** The run that it is a leg of. */
  readonly run?: string
  readonly requestId?: string
}

/** A later execution continued it. */
interface EnteredFact {
  readonly fact: 'entered'
  readonly at?: string
  readonly execution: string
}

interface CheckedFact {
  readonly fact: 'checked'
  readonly at?: string
  /** The amount that arrives, the fee at that time, and the maximum that leaves the account. */
  readonly amount: string
  readonly fee: string
  readonly total: string
  readonly assetSymbol: string
  readonly networkId: string | null
  /** The payee, in words. */
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
interface HeldFact {
  readonly fact: 'held'
  readonly at?: string
  readonly why: string
}

/** An attempt was recorded, and then sent at most once. */
export interface SentFact {
  readonly fact: 'sent'
  /** Service time of the signature. For an attempt that the journal no longer keeps: the start of its step. */
  readonly at?: string
  readonly attempt?: number
  readonly orderId?: string
  readonly nonce?: string
  /** The prefix of the key that signed. */
  readonly key?: string
  /** Expiry of the request itself, in service time. */
  readonly tokenEndsAt?: string
  /** For a withdrawal: the number of rows that existed before. */
  readonly knownRows?: number
  readonly movement: 'order' | 'withdrawal'
  /** False where no record shows that it left the machine: the sender may have died before. */
  readonly isCertain: boolean
}

export interface AnsweredFact {
  readonly fact: 'answered'
  readonly at?: string
  /**
   * `accepted unread`: accepted, but the row could not be read. `none`: no answer came. A plain acceptance is in the
   * proof.
   */
  readonly answer: 'accepted unread' | 'refused' | 'key refused' | 'failed' | 'none' | 'not recorded'
  readonly code?: string
  readonly status?: number
  readonly text?: string
}

/** How the fence of the attempt is computed. All times are service time. */
export interface FenceFacts {
  readonly lastCopyDeadAt: string
  /** When the answer came; absent where no answer came, or its time is unknown. */
  readonly listenedUntil?: string
  readonly visibilitySeconds: number
}

/** The effect of the attempt was unknown, and absence proved nothing until the fence. */
export interface DoubtFact {
  readonly fact: 'doubt'
  readonly at?: string
  /** The fence, in service time. */
  readonly until: string
  readonly movement: 'order' | 'withdrawal'
  readonly why?: string
  /** Absent for an attempt that the journal no longer keeps. */
  readonly fence?: FenceFacts
  /** How often the service was read meanwhile. Absent where the history is not kept. */
  readonly looks?: number
}

/** The attempt certainly moved nothing, and another attempt may follow. */
interface AttemptEndedFact {
  readonly fact: 'attempt ended'
  readonly at?: string
  readonly why: string
  /** Whether it was in doubt before, so that the service was read past the fence. */
  readonly wasInDoubt: boolean
  readonly movement: 'order' | 'withdrawal'
}

/** A step failed. It was tried again, or the execution ended. */
interface FaultFact {
  readonly fact: 'fault'
  readonly at?: string
  readonly state: string
  readonly error: string
  readonly message: string
}

/** An execution failed, or was stopped. */
interface StoppedFact {
  readonly fact: 'stopped'
  readonly at?: string
  readonly execution: string
  readonly status: string
  readonly error?: string
}

interface ProvenFact {
  readonly fact: 'proven'
  readonly movement: 'order' | 'withdrawal'
  readonly movementId: string
  /** `answer`: the service accepted it. `look`: it was found later. Absent where the records do not say which. */
  readonly by?: 'answer' | 'look'
  /** The intent that claims the movement; absent where no intent does. */
  readonly claimedBy?: string
}

/** The movement exists and is not complete. */
interface MovingFact {
  readonly fact: 'moving'
  readonly at?: string
  readonly why: string
}

/** The end of the movement, as the service showed it to the last step. */
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
  /** Only the balance shows that a failed withdrawal came back. */
  readonly isByBalance?: true
  /** The service calls the withdrawal failed, and its refund is not proven. */
  readonly isRefundDue?: true
  readonly networkId?: string | null
  readonly transactionHash?: string | null
  readonly bankReference?: string | null
}

/** Certified: it moved nothing, and never can. */
export interface ZeroFact {
  readonly fact: 'zero'
  readonly at?: string
  readonly outcome: string
  readonly why: string
  readonly guardedBy?: GuardCode
  readonly movement: 'order' | 'withdrawal'
  /** `never armed`: nothing was about to be sent. `looked`: the service showed nothing past the fence. */
  readonly evidence: 'never armed' | 'looked' | 'journal' | 'a person'
}

/** A person must decide what it moved. */
interface EscalatedFact {
  readonly fact: 'escalated'
  readonly at?: string
  readonly why: string
  readonly candidates: readonly Readonly<Record<string, unknown>>[]
}

interface ResolvedFact {
  readonly fact: 'resolved'
  readonly at: string
  readonly by: string
  readonly because: string
  /** Absent: nothing moved. */
  readonly movementId?: string
}

/** The current state, where it has not ended. */
interface OpenFact {
  readonly fact: 'open'
  readonly state: 'READY' | 'ARMED'
  /** Absent where its executions could not be read. */
  readonly isUnderWay?: boolean
  /** The fence of an attempt in doubt, in service time. */
  readonly until?: string
  readonly why?: string
}

export type Fact =
  | RequestedFact
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
