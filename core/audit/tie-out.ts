// Ties what the service moved to what was intended. Each movement has exactly one intent, each intent that is DONE has
// exactly one movement, and the amounts agree. It compares what the service shows, the journal and the results. The tour
// checks all its movements with this. The verification of a deployment checks its one conversion. Pure.
import { AMOUNT_PATTERN } from '../contract/amount.ts'
import type { ConvertReport } from '../contract/convert.ts'
import { IntentState } from '../contract/records.ts'
import type { WithdrawReport } from '../contract/withdraw.ts'
import { type Intent, isConversion, isSettled } from '../journal/intent.ts'
import { isSameAmount } from '../money/decimal.ts'

/** One executed order, as the service shows it. Its amounts are settled. */
export interface MovedOrder {
  readonly kind: 'order'
  readonly id: string
  /** Nonce of the request that asked for it. Absent where it is not known: the service shows none. */
  readonly nonce?: string
  readonly market: string
  readonly side: string
  readonly baseAmount: string
  readonly quoteAmount: string
}

/** One withdrawal, as the service shows it. Its amounts are settled, and zero where it came back. */
export interface MovedWithdrawal {
  readonly kind: 'withdrawal'
  readonly id: string
  readonly nonce?: string
  readonly assetSymbol: string
  /** The amount that left the account, without the fee. `total` is `amount` plus `fee`. */
  readonly amount: string
  readonly fee: string
  readonly total: string
}

export type Movement = MovedOrder | MovedWithdrawal

/** The result of an intent. It has the fields of its movement. */
export type MovementReport = ConvertReport | WithdrawReport

/** One intent, as the journal has it. */
export interface JournaledIntent {
  readonly intentId: string
  /** The kind of its movement, because ids are unique only within their kind. */
  readonly kind: Movement['kind']
  readonly state: IntentState
  /** With DONE: the movement's id. */
  readonly ref?: string
  /** Nonce of the attempt that was armed last. */
  readonly nonce?: string
}

export function journaled(intent: Intent): JournaledIntent {
  const { intentId, state, ref, attempt } = intent
  return {
    intentId,
    kind: isConversion(intent) ? 'order' : 'withdrawal',
    state,
    ...(ref !== undefined && { ref }),
    ...(attempt !== undefined && { nonce: attempt.nonce }),
  }
}

export interface TieOutEvidence {
  readonly movements: readonly Movement[]
  readonly intents: readonly JournaledIntent[]
  readonly results: readonly MovementReport[]
  /** Findings of checks of the service's own ledger. */
  readonly violations: readonly string[]
}

export interface TieOut {
  /** The number of movements that tie out. */
  readonly tied: number
  /** The number of movements, or the number of DONE intents if that is larger. */
  readonly of: number
  /** One sentence for each thing that does not agree; empty when all ties out. */
  readonly findings: readonly string[]
}

export function tieOut(evidence: TieOutEvidence): TieOut {
  const { movements, intents, results, violations } = evidence
  const done = intents.filter((intent) => intent.state === IntentState.Done)
  const checked = movements.map((movement) => findingsOf(movement, movements, done, results))
  const findings = [
    ...checked.flat(),
    ...done.filter((intent) => !movements.some((movement) => isMovementOf(intent, movement))).map(describeUnmoved),
    ...intents
      .filter(({ state }) => !isSettled(state))
      .map((intent) => `intent ${intent.intentId} is ${intent.state}: its movement is not settled`),
    ...violations.map((violation) => `the service's ledger: ${violation}`),
  ]
  return {
    tied: checked.filter((problems) => problems.length === 0).length,
    of: Math.max(movements.length, done.length),
    findings: [...new Set(findings)],
  }
}

function findingsOf(
  movement: Movement,
  movements: readonly Movement[],
  done: readonly JournaledIntent[],
  results: readonly MovementReport[],
): string[] {
  const name = nameOf(movement)
  const twins = movements.filter(({ kind, id }) => kind === movement.kind && id === movement.id)
  if (twins.length > 1) return [`${name} moved ${twins.length} times`]
  const owners = done.filter((intent) => isMovementOf(intent, movement))
  const [owner] = owners
  if (owner === undefined) return [`${name} moved and belongs to no intent`]
  if (owners.length > 1) {
    return [`${name} is claimed by ${owners.length} intents: ${owners.map((intent) => intent.intentId).join(', ')}`]
  }
  const problems =
    movement.nonce === undefined || owner.nonce === movement.nonce
      ? []
      : [`${name} was asked for by another request than intent ${owner.intentId} armed`]
  const reported = results.filter((result) => result.intentId === owner.intentId)
  const [result] = reported
  if (result === undefined) return [...problems, `intent ${owner.intentId} moved ${name} and gave no result`]
  return [...problems, ...differencesOf(movement, result)]
}

function isMovementOf({ kind, ref }: JournaledIntent, movement: Movement): boolean {
  return kind === movement.kind && ref === movement.id
}

function differencesOf(movement: Movement, result: MovementReport): string[] {
  const booked = fieldsOf(movement)
  const reported: Readonly<Record<string, unknown>> = { ...result }
  return Object.entries(booked)
    .filter(([field, value]) => !same(value, reported[field]))
    .map(
      ([field, value]) =>
        `${nameOf(movement)}: ${field} is ${value} at the service and ${reported[field] ?? 'missing'} in the result`,
    )
}

/** The fields of a movement, under the names that a result has for them. */
function fieldsOf(movement: Movement): Readonly<Record<string, string>> {
  if (movement.kind === 'order') {
    const { id, market, side, baseAmount, quoteAmount } = movement
    return { orderId: id, market, side, baseAmount, quoteAmount }
  }
  const { id, assetSymbol, amount, fee, total } = movement
  return { withdrawalId: id, assetSymbol, amount, fee, total }
}

/** Amounts are equal whatever zeros trail them; anything else must be spelled the same. */
function same(booked: string, reported: unknown): boolean {
  if (typeof reported !== 'string') return false
  const areAmounts = AMOUNT_PATTERN.test(booked) && AMOUNT_PATTERN.test(reported)
  return areAmounts ? isSameAmount(booked, reported) : booked === reported
}

function nameOf({ kind, id }: Movement): string {
  return `${kind} ${id}`
}

function describeUnmoved({ intentId, ref }: JournaledIntent): string {
  return `intent ${intentId} is DONE by movement ${ref ?? '(none)'}, and the service moved no such thing`
}
