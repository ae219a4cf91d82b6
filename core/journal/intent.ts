// The shape of an intent: one movement that was asked for, from its opening to its end. Shapes and questions about
// them only: the moves between the states are in moves.ts, and what is read from the journal is checked in
// intent-record.ts.
import type { ConvertRequest } from '../contract/convert.ts'
import type { FrozenGuards } from '../contract/guards.ts'
import type { GuardCode } from '../contract/outcomes.ts'
import type { PayeeFacts } from '../contract/payee.ts'
import { IntentKind, IntentState } from '../contract/records.ts'
import type { WithdrawRequest } from '../contract/withdraw.ts'
import { Defect } from '../errors.ts'
import type { Said, SendFacts } from '../service/ports.ts'
import type { FenceTiming } from './fence.ts'

/** One armed attempt: written before its only send. */
interface Attempt extends SendFacts {
  /** The process that won the ARM write, and so the only one that may send. */
  readonly owner: string
  /** What the service said to the send, when it was not a yes: a hint, not a proof. */
  readonly said?: Said
  /** With `said` of an answer: ISO-8601, the latest service time at which it may have been heard. */
  readonly listenedUntil?: string
  /** As configured when it was armed: its fence never goes by less. */
  readonly fenceTiming: FenceTiming
}

/** What an armed order is known by. */
export interface OrderAttempt extends Attempt {
  /** Of the key that signed, as the service said; absent where that key may not read it. */
  readonly account?: string
  readonly orderId: string
  /** ISO-8601, service time; null is unknown. */
  readonly quoteExpiresAt: string | null
  /** What the quote promised, for the record and for people. */
  readonly terms: {
    readonly market: string
    readonly rate: string
    readonly baseAmount: string
    readonly quoteAmount: string
  }
}

/** A row that a list has shown. */
export interface KnownRow {
  readonly id: string
  /** ISO-8601: its `createdAt`, as the service told it. */
  readonly at: string
}

/** The rows that a withdrawal's own row is told from. */
export interface KnownRows {
  /** ISO-8601, service time: no row of this attempt can be older. */
  readonly since: string
  /** The asset's rows since then that were there before the send, and a few older ones, which every list must show. */
  readonly known: readonly KnownRow[]
}

export interface WithdrawalAttempt extends Attempt, KnownRows {
  /** Of its network right before it was armed: settled units. Guards have counted this one or the frozen one, the dearer. */
  readonly fee: string
  /** Rows that may be its own and came since, as looks before its fence have found them. */
  readonly seen?: readonly KnownRow[]
  /** True once a 201 was heard whose row could not be read: then none is not zero. */
  readonly accepted?: boolean
}

/** How the service may name an asset. */
export interface AssetNames {
  /** Settled code. */
  readonly assetSymbol: string
  /** The ticker of an equity; absent where it is the settled code. */
  readonly rebasedSymbol?: string
}

/** What is settled when a conversion is opened, and never changes. */
export interface ConvertFrozen {
  /** The two assets of its market: every quote, and the order, are held against them. */
  readonly baseAsset: AssetNames
  readonly quoteAsset: AssetNames
  /** The account's id at the service, and the stage in which that id is unique; absent where no key could tell it. */
  readonly account?: string
  readonly stage?: string
  /** The amount asked for, rounded down to `increment`: what is sent. */
  readonly amount: string
  /** The increment of the asset that `amount` counts. */
  readonly increment: string
  /** The tightest of what the request and guards allow; absent: as in the request. */
  readonly maxSlippageBps?: number
  /** Indicative rate at the start, where `maxSlippageBps` needs one. */
  readonly referenceRate?: string
  /** Absent where no guard concerns it. */
  readonly guards?: FrozenGuards
}

/** What is settled when a withdrawal is opened, and never changes. */
export interface WithdrawFrozen {
  /** The account's id at the service: names the lane. */
  readonly account: string
  /** The environment, test or live, in which that id is unique. */
  readonly stage: string
  /** Settled code. */
  readonly assetSymbol: string
  /** The ticker by which guards may name an equity; absent where it is the settled code. */
  readonly rebasedSymbol?: string
  /** Rounded down to `increment`: what is sent. */
  readonly amount: string
  /** The asset's. */
  readonly increment: string
  readonly feeMode: 'deduct' | 'add'
  readonly contactId: string
  /** The contact as the checks saw it. */
  readonly payee: PayeeFacts
  /** The sub-types that a row to this contact may have. */
  readonly subTypes: readonly string[]
  /** The network of an external crypto contact, else null. */
  readonly networkId: string | null
  /** When the terms were settled; the service may change it: see the attempt's. */
  readonly fee: string
  /** The most that leaves the account, fee included, at that fee. */
  readonly total: string
  /** Absent where no guard concerns it. */
  readonly guards?: FrozenGuards
}

/** What is frozen in an intent whose record the journal has lost. */
export interface LostFrozen {
  /** Absent: its first execution found it lost, so that nothing was sent before that one began. */
  readonly isEnteredAgain?: boolean
  /** As configured when it was closed: how long after that a request of before may be accepted, and stay out of sight. */
  readonly fenceSeconds?: number
}

/** What every intent has. */
interface IntentFacts {
  readonly intentId: string
  /** SHA-256 of the request: the same id asked for with another one is refused. */
  readonly paramsHash: string
  /** ISO-8601. */
  readonly createdAt: string
  /** ISO-8601: nothing is armed from this moment on. */
  readonly notAfter: string
  readonly version: number
  /** Counts from 1; raised when an attempt is certified to have moved nothing. */
  readonly attemptNumber: number
  /** With DONE: the movement's id. */
  readonly ref?: string
  /** With REJECTED, EXHAUSTED, ESCALATED: the outcome and one sentence. */
  readonly outcome?: string
  readonly why?: string
  /** With REJECTED: the guard that refused it. */
  readonly guardedBy?: GuardCode
  /** With ESCALATED: what a person needs to decide. */
  readonly evidence?: unknown
  /** Where a person decided. */
  readonly resolution?: Resolution
}

export interface Resolution {
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
  /** The movement that is this intent's; absent: nothing moved. */
  readonly movementId?: string
  /** Prefix of the key that looked, where the person said that it is of the account of the key that signed. */
  readonly sameAccount?: string
}

/** READY, or with an attempt in whatever state: a step has settled all of its terms. */
interface Opened<Kind, Params, Frozen, Tried> extends IntentFacts {
  readonly kind: Kind
  readonly state: IntentState
  /** As asked for. */
  readonly params: Params
  readonly frozen: Frozen
  /** The one that was armed last. */
  readonly attempt?: Tried
}

/**
 * At its end, or with a person, without an attempt that the journal knows of: ended before it was armed, perhaps
 * before its terms were settled, or lost. Of the request only what can be read of it is known.
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
  throw new Defect(`intent ${intent.intentId} is of kind ${intent.kind}, and a ${kind} was asked for`)
}

/** States from which nothing moves any more. DONE has its movement; what became of it is the service's to say. */
export function isTerminal(state: IntentState): boolean {
  return state !== IntentState.Ready && state !== IntentState.Armed
}

/** What it moved, or that it moved nothing, is certain and never changes. Not so while a person is to decide. */
export function isSettled(state: IntentState): boolean {
  return isTerminal(state) && state !== IntentState.Escalated
}

/** Whether its terms are known: see `Opened`. */
export function isOpened(intent: Intent): intent is OpenIntent {
  return !isTerminal(intent.state) || intent.attempt !== undefined
}

/**
 * Whether the journal has lost what it knew of it: closed for a person, without an attempt. What it may have sent
 * is known by what was asked for alone.
 */
export function isLost({ state, attempt }: Pick<Intent, 'state' | 'attempt'>): boolean {
  return state === IntentState.Escalated && attempt === undefined
}

/** @throws TypeError when no attempt was armed: a programming error. */
export function attemptOf<Kept extends Pick<Intent, 'intentId' | 'attempt'>>(
  intent: Kept,
): NonNullable<Kept['attempt']> {
  const { attempt } = intent
  if (attempt === undefined) throw new TypeError(`intent ${intent.intentId} has no armed attempt`)
  return attempt
}

/** For what only an intent with an attempt is asked. @throws TypeError as `attemptOf` does */
export function assertArmed(intent: Intent): asserts intent is OpenIntent {
  attemptOf(intent)
}
