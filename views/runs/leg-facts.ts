// Collects the facts of one leg as a report shows them, for every kind of leg: its plan and its result. Pure.

import { shownOutcome } from '../../core/contract/outcome-names.ts'
import { WithdrawEnd } from '../../core/contract/outcomes.ts'
import type { PayeeFacts } from '../../core/contract/payee.ts'
import type { PlanLeg } from '../../core/contract/plan.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { RunReport, SettledLeg } from '../../core/contract/runs.ts'
import { lookOfLeg } from '../../operations/words/outcome-words.ts'
import { askText, payeeText } from '../../operations/words/request-words.ts'
import { rateOf, slippageBps, spreadPaid, total } from './figures.ts'

/** Decimal places of a fill's rate. Further digits come from the rounding of its amounts. */
const RATE_DIGITS = 10

export interface LegFacts {
  readonly key: string
  readonly phase: number
  readonly what: string
  readonly why: string
  readonly value: string
  readonly gives: Money
  readonly brings: Money | undefined
  readonly indicativeRate: string
  readonly quotedRate: string
  readonly filledRate: string
  /** How much worse than the indicative rate the fills were, in basis points. */
  readonly slippageBps: string
  /** Planned, in the valuation asset. */
  readonly spreadCost: string
  /** Actual, in the valuation asset; empty without fills. Below zero: better than the middle of both sides. */
  readonly spreadPaid: string
  /** Amounts that have certainly left the account, and entered it. Absent where nothing moved, or it is unknown. */
  readonly moved: { readonly gave: Money; readonly brought: Money | undefined } | undefined
  readonly fee: Money | undefined
  /** The fee that a complete withdrawal paid. */
  readonly feePaid: Money | undefined
  readonly outcome: string
  /** Attempts that were begun; each but the last is certified to have moved nothing. Zero where the number is unknown. */
  readonly attemptCount: number
  /** Why it is not a success. Empty for a success. */
  readonly note: string
  /** The ids of the leg, with their names. They are never shortened. */
  readonly ids: readonly (readonly [name: string, id: string])[]
}

export interface Money {
  readonly amount: string
  readonly asset: string
}

/** First the legs that were begun, then the planned legs that were not. */
export function legFactsOf({ plan, legs }: Pick<RunReport, 'plan' | 'legs'>): LegFacts[] {
  const begun = new Set(legs.map(({ leg }) => leg.key))
  const planned = (plan?.legs ?? []).filter(({ key }) => !begun.has(key))
  const named = namedPayees([...legs.map(({ leg }) => leg), ...(plan?.legs ?? [])])
  return [
    ...legs.map((settled) => factsOf(settled.leg, settled, named)),
    ...planned.map((leg) => factsOf(leg, undefined, named)),
  ]
}

/** The payees with labels, by contact id. With very many legs, only the first leg to each contact keeps the labels. */
function namedPayees(legs: readonly PlanLeg[]): ReadonlyMap<string, PayeeFacts> {
  const payees = legs.flatMap((leg) => ('payee' in leg && leg.payee !== undefined ? [leg.payee] : []))
  return new Map(payees.filter(({ alias }) => alias !== null).map((payee) => [payee.contactId, payee]))
}

/** `settled` is undefined for a leg that was planned and not begun. */
function factsOf(leg: PlanLeg, settled: SettledLeg | undefined, payees: ReadonlyMap<string, PayeeFacts>): LegFacts {
  const { key, phase, value, reason: why } = leg
  const outcome = settled === undefined ? 'not begun' : shownOutcome(settled)
  const note = settled?.why ?? settled?.conversion?.why ?? settled?.withdrawal?.why ?? ''
  const intent = settled === undefined ? [] : [['intent', settled.intentId] as const]
  const attemptCount = settled?.conversion?.attempts ?? settled?.withdrawal?.attempts ?? 0
  const common = { key, phase, value, why, outcome, note, attemptCount }
  if (leg.kind === IntentKind.Convert) {
    const { conversion } = settled ?? {}
    const filled = filledRateOf(conversion)
    const moved = conversion && movedBy(leg, conversion)
    return {
      ...common,
      what: `${askText(leg.request)} on ${leg.market}`,
      ...(moved ??
        (movedNothing(settled)
          ? { gives: { ...leg.gives, amount: '0' }, brings: undefined }
          : { gives: leg.gives, brings: leg.brings })),
      moved: moved?.brings && { gave: moved.gives, brought: moved.brings },
      indicativeRate: leg.indicativeRate,
      quotedRate: conversion?.rate ?? '',
      filledRate: filled ?? '',
      slippageBps: (filled && slippageBps(leg.request.side, leg.indicativeRate, filled)) ?? '',
      spreadCost: leg.spreadCost,
      spreadPaid: spreadPaidBy(leg, conversion) ?? '',
      fee: undefined,
      feePaid: undefined,
      ids: [...intent, ...named('order', conversion?.orderId)],
    }
  }
  const { withdrawal } = settled ?? {}
  const isComplete = withdrawal?.outcome === WithdrawEnd.Completed
  const { alias = null, reference = null, paidAs } = payees.get(leg.contactId) ?? {}
  const labels = { alias, reference, ...(paidAs && { paidAs }) }
  const payee = leg.payee?.alias === null ? { ...leg.payee, ...labels } : leg.payee
  return {
    ...common,
    what: `${leg.isCanary ? 'canary: ' : ''}send ${leg.request.amount} ${leg.assetSymbol} to ${payeeText(leg.contactId, payee)}`,
    gives: { amount: withdrawal?.total ?? (movedNothing(settled) ? '0' : leg.total), asset: leg.assetSymbol },
    brings: withdrawal?.amount === undefined ? undefined : { amount: withdrawal.amount, asset: leg.assetSymbol },
    indicativeRate: '',
    quotedRate: '',
    filledRate: '',
    slippageBps: '',
    spreadCost: '',
    spreadPaid: '',
    moved:
      isComplete && withdrawal.total !== undefined
        ? { gave: { amount: withdrawal.total, asset: leg.assetSymbol }, brought: undefined }
        : undefined,
    fee: { amount: leg.fee, asset: leg.assetSymbol },
    feePaid:
      isComplete && withdrawal.fee !== undefined ? { amount: withdrawal.fee, asset: leg.assetSymbol } : undefined,
    ids: [
      ...intent,
      ...named('withdrawal', withdrawal?.withdrawalId),
      ...named('transaction', withdrawal?.transactionHash),
      ...named('bank reference', withdrawal?.bankReference),
    ],
  }
}

/** False for a leg in doubt or under way, because it may have moved the planned amount. */
function movedNothing(settled: SettledLeg | undefined): boolean {
  return settled !== undefined && settled.outcome !== UNDER_WAY && lookOfLeg(settled.outcome) !== 'bad'
}

/** The outcome of a leg that no step has settled. */
const UNDER_WAY = 'RUNNING'

type Conversion = NonNullable<SettledLeg['conversion']>

/** The actual amounts of a conversion. `brings` is undefined where the amount is unknown. */
function movedBy(
  { gives, brings, request }: Extract<PlanLeg, { kind: 'convert' }>,
  { baseAmount, quoteAmount }: Conversion,
): { readonly gives: Money; readonly brings: Money | undefined } {
  const [given, brought] = request.side === 'SELL' ? [baseAmount, quoteAmount] : [quoteAmount, baseAmount]
  return {
    gives: { ...gives, amount: given ?? '0' },
    brings: brought === undefined ? undefined : { ...brings, amount: brought },
  }
}

/** Derives the quote side's value from the plan: the value given, for a sale less the cost of the spread. */
function spreadPaidBy(
  { request: { side }, indicativeRate, spreadCost: cost, value, gives, brings }: Extract<PlanLeg, { kind: 'convert' }>,
  conversion: Conversion | undefined,
): string | undefined {
  const { baseAmount, quoteAmount } = conversion ?? {}
  if (baseAmount === undefined || quoteAmount === undefined) return undefined
  const [base, quote] = side === 'SELL' ? [gives.amount, brings.amount] : [brings.amount, gives.amount]
  const quoteValue = side === 'SELL' ? total([value, `-${cost}`]) : value
  return spreadPaid({ side, indicativeRate, cost, base, quote, quoteValue }, { baseAmount, quoteAmount })
}

function filledRateOf(conversion: Conversion | undefined): string | undefined {
  const { baseAmount, quoteAmount } = conversion ?? {}
  return baseAmount === undefined || quoteAmount === undefined
    ? undefined
    : rateOf(quoteAmount, baseAmount, RATE_DIGITS)
}

function named(name: string, id: string | null | undefined): (readonly [string, string])[] {
  return id === undefined || id === null ? [] : [[name, id]]
}
