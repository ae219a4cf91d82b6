// Defines an intent: one requested movement, from its opening to its end. Shapes and questions about them only. The
// moves between states are in moves.ts, and intent-record.ts checks what is read from the journal.
import type { ConvertRequest } from '../contract/convert.ts'
import type { GuardCode } from '../contract/outcomes.ts'
import type { PayeeFacts } from '../contract/payee.ts'
import { IntentKind, IntentState } from '../contract/records.ts'
import type { WithdrawRequest } from '../contract/withdraw.ts'
import { Defect } from '../errors.ts'
import type { SendFacts, ServiceError } from '../service/ports.ts'
import type { FenceTiming } from './fence.ts'

/** One armed attempt, recorded before its only send. */
interface Attempt extends SendFacts {
  /** The process that won the ARM write, and so the only process that may send. */
  readonly owner: string
  /** The service's answer to the send if it was not a success: a hint, not a proof. */
  readonly said?: ServiceError
  /** Only if `said` is an answer: ISO-8601, the latest service time at which it may have arrived. */
  readonly listenedUntil?: string
  /** Settings when it was armed: the lower bound of this attempt's fence. */
  readonly fenceTiming: FenceTiming
}

export interface OrderAttempt extends Attempt {
  /** Account of the key that signed, as the service reported it. Absent where the key may not read it. */
  readonly account?: string
  readonly orderId: string
  /** ISO-8601, service time; null means unknown. */
  readonly quoteExpiresAt: string | null
  /** The quote's terms, for the record and for people. */
  readonly terms: {
    readonly market: string
    readonly rate: string
    readonly baseAmount: string
    readonly quoteAmount: string
  }
}

export interface KnownRow {
  readonly id: string
  /** `createdAt` of the row, ISO-8601, as the service reported it. */
  readonly at: string
}

/** The rows that are not the withdrawal's own row. */
export interface KnownRows {
  /** ISO-8601, service time: no row of this attempt can be older. */
  readonly since: string
  /** The asset's rows since then that existed before the send, and a few older rows that every list must show. */
  readonly known: readonly KnownRow[]
}

export interface WithdrawalAttempt extends Attempt, KnownRows {
  /**
   * Fee of the network right before it was armed, in settled units. Guards counted the higher of it and the frozen fee.
   */
  readonly fee: string
  /** The total that people approved. Absent where nobody was asked. */
  readonly approvedTotal?: string
  /** Newer rows that may be its own, found by reads before its fence. */
  readonly seen?: readonly KnownRow[]
  /** True after a 201 whose row could not be read. Then finding no row does not prove that nothing moved. */
  readonly accepted?: boolean
}

export interface AssetNames {
  /** Settled code. */
  readonly assetSymbol: string
  /** The ticker of an equity. Absent where it equals the settled code. */
  readonly rebasedSymbol?: string
}

/** Settled when a conversion is opened, and never changed. */
export interface ConvertFrozen {
  /** The two assets of its market. Every quote and the order are compared with them. */
  readonly baseAsset: AssetNames
  readonly quoteAsset: AssetNames
  /** The account's id at the service, and the stage in which the id is unique. Absent where no key could read it. */
  readonly account?: string
  readonly stage?: string
  /** The requested amount, rounded down to `increment`. This amount is sent. */
  readonly amount: string
  /** The increment of the asset that `amount` counts. */
  readonly increment: string
  /** The tightest limit of the request and the guards. Absent: as in the request. */
  readonly maxSlippageBps?: number
  /** Indicative rate at the start, where `maxSlippageBps` needs it. */
  readonly referenceRate?: string
  /** By valuation asset: value of one settled unit of what is sold or withdrawn. Absent where no bound is in values. */
  readonly unitValues?: Readonly<Record<string, string>>
}

/** Settled when a withdrawal is opened, and never changed. */
export interface WithdrawFrozen {
  /** The account's id at the service. It names the lane. */
  readonly account: string
  /** The stage, test or live, in which that id is unique. */
  readonly stage: string
  /** Settled code. */
  readonly assetSymbol: string
  /** The ticker by which guards may name an equity. Absent where it equals the settled code. */
  readonly rebasedSymbol?: string
  /** The requested amount, rounded down to `increment`. This amount is sent. */
  readonly amount: string
  readonly increment: string
  readonly feeMode: 'deduct' | 'add'
  readonly contactId: string
  /** The contact as the checks read it. */
  readonly payee: PayeeFacts
  /** The sub-types that a row to this contact may have. */
  readonly subTypes: readonly string[]
  /** The network of an external crypto contact, else null. */
  readonly networkId: string | null
  /** Fee when the terms were settled. The service may change it: see the attempt's `fee`. */
  readonly fee: string
  /** The most that leaves the account at that fee, fee included. */
  readonly total: string
  /** By valuation asset: value of one settled unit of what is sold or withdrawn. Absent where no bound is in values. */
  readonly unitValues?: Readonly<Record<string, string>>
}

/** Frozen facts of an intent whose record the journal has lost. */
export interface LostFrozen {
  /** Absent: its first execution found it lost, so nothing was sent before that execution began. */
  readonly isEnteredAgain?: boolean
  /**
   * Seconds after closing in which an earlier request may be accepted and stay invisible, by the settings at that time.
   */
  readonly fenceSeconds?: number
}

interface IntentFacts {
  readonly intentId: string
  /** SHA-256 of the request. The same id with another request is refused. */
  readonly paramsHash: string
  /** ISO-8601. */
  readonly createdAt: string
  /** ISO-8601: from this moment on nothing is armed. */
  readonly notAfter: string
  readonly version: number
  /** Counts from 1. It is raised when an attempt is certified to have moved nothing. */
  readonly attemptNumber: number
  /** With DONE: the movement's id. */
  readonly ref?: string
  /** With REJECTED, EXHAUSTED, ESCALATED: the outcome, and one sentence. */
  readonly outcome?: string
  readonly why?: string
  /** With REJECTED: the guard that refused it. With EXHAUSTED: the guard for which it waited in vain. */
  readonly guardedBy?: GuardCode
  /** With ESCALATED: the facts that a person needs to decide. */
  readonly evidence?: unknown
  readonly resolution?: Resolution
}

export interface Resolution {
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
  /** The movement of this intent. Absent: nothing moved. */
  readonly movementId?: string
  /** Prefix of the key that read, where the person stated that it is of the account of the key that signed. */
  readonly sameAccount?: string
  /** The key of the record of the person's signed request. Absent at a desk. */
  readonly spoken?: string | undefined
}

/** READY, or with an attempt in any state: a step has settled all of its terms. */
interface Opened<Kind, Params, Frozen, Tried> extends IntentFacts {
  readonly kind: Kind
  readonly state: IntentState
  readonly params: Params
  readonly frozen: Frozen
  /** The last armed attempt. */
  readonly attempt?: Tried
}

/**
 * Ended or with a person, without an attempt that the journal knows. It ended before it was armed, perhaps before its
 * terms were settled, or it was lost. Only the readable part of the request is known.
 */
interface Unarmed<Kind, Params, Frozen> extends IntentFacts {
  readonly kind: Kind
  readonly state: Exclude<IntentState, typeof IntentState.Ready | typeof IntentState.Armed>
  readonly params: { readonly [Field in keyof Params]?: unknown }
  readonly frozen: Partial<Frozen> & LostFrozen
  readonly attempt?: undefined
}

type OfConvert = typeof IntentKind.Convert
type OfWithdraw = typeof IntentKind.Withdraw

export type OpenConversion = Opened<OfConvert, ConvertRequest, ConvertFrozen, OrderAttempt>
export type OpenWithdrawal = Opened<OfWithdraw, WithdrawRequest, WithdrawFrozen, WithdrawalAttempt>
export type OpenIntent = OpenConversion | OpenWithdrawal

export type ConvertIntent = OpenConversion | Unarmed<OfConvert, ConvertRequest, ConvertFrozen>
export type WithdrawIntent = OpenWithdrawal | Unarmed<OfWithdraw, WithdrawRequest, WithdrawFrozen>
export type Intent = ConvertIntent | WithdrawIntent
export type IntentOf<Kind extends IntentKind> = Extract<Intent, { readonly kind: Kind }>

export function isConversion(intent: Intent): intent is ConvertIntent {
  return intent.kind === IntentKind.Convert
}

export function isWithdrawal(intent: Intent): intent is WithdrawIntent {
  return intent.kind === IntentKind.Withdraw
}

/** @throws Defect for an intent of the other kind */
export function ofKind<Kind extends IntentKind>(intent: Intent, kind: Kind): IntentOf<Kind> {
  const isOfKind = (each: Intent): each is IntentOf<Kind> => each.kind === kind
  if (isOfKind(intent)) return intent
  throw new Defect(`intent ${intent.intentId} is of kind ${intent.kind}, and ${kind} was expected`)
}

/** States in which nothing moves any more. With DONE the movement exists, and the service knows its result. */
export function isTerminal(state: IntentState): boolean {
  return state !== IntentState.Ready && state !== IntentState.Armed
}

/** Whether it is certain what the intent moved, or that it moved nothing. False while a person must decide. */
export function isSettled(state: IntentState): boolean {
  return isTerminal(state) && state !== IntentState.Escalated
}

/** How it ended, or why it is in doubt. A doubt that a person settled as DONE stays in the record, and is over. */
export function endOf({ state, outcome, why }: Intent): {
  readonly outcome: string | undefined
  readonly why: string | undefined
} {
  return state === IntentState.Done ? { outcome: undefined, why: undefined } : { outcome, why }
}

/** Whether its terms are known: see `Opened`. */
export function isOpened(intent: Intent): intent is OpenIntent {
  return !isTerminal(intent.state) || intent.attempt !== undefined
}

/**
 * Whether the journal has lost it: closed for a person without an attempt. Only the request shows what it may have
 * sent.
 */
export function isLost({ state, attempt }: Intent): boolean {
  return state === IntentState.Escalated && attempt === undefined
}

/** @throws TypeError when no attempt was armed, which is a programming error */
export function attemptOf<Kept extends Pick<Intent, 'intentId' | 'attempt'>>(
  intent: Kept,
): NonNullable<Kept['attempt']> {
  const { attempt } = intent
  if (attempt === undefined) throw new TypeError(`intent ${intent.intentId} has no armed attempt`)
  return attempt
}

/** For code that needs an intent with an attempt. @throws TypeError as `attemptOf` does */
export function assertArmed(intent: Intent): asserts intent is OpenIntent {
  attemptOf(intent)
}
