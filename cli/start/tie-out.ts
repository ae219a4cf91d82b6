// Ties what the service moved to what was intended, movement by movement: each movement has exactly one intent, each
// intent that is DONE has exactly one movement, and the amounts agree. It compares the service's own ledger, the
// journal and the results. Pure.
import type { ConvertReport } from '../../core/contract/convert.ts'
import { IntentState } from '../../core/contract/records.ts'
import type { WithdrawReport } from '../../core/contract/withdraw.ts'

/** One executed order in the service's own books. Its amounts are settled. */
export interface BookedOrder {
  readonly kind: 'order'
  readonly id: string
  /** Nonce of the request that asked for it. */
  readonly nonce: string
  readonly market: string
  readonly side: string
  readonly baseAmount: string
  readonly quoteAmount: string
}

/** One withdrawal in the service's own books. Its amounts are settled, and zero where it came back. */
export interface BookedWithdrawal {
  readonly kind: 'withdrawal'
  readonly id: string
  readonly nonce: string
  readonly assetSymbol: string
  /** What left the account for good without the fee, the fee, and both. */
  readonly amount: string
  readonly fee: string
  readonly total: string
}

export type BookedMovement = BookedOrder | BookedWithdrawal

/** The result of an intent. It has the same fields as the books. */
export type MovementReport = ConvertReport | WithdrawReport

/** One intent, as the journal has it. */
export interface JournaledIntent {
  readonly intentId: string
  /** The kind of its movement, because ids are unique only within their kind. */
  readonly kind: BookedMovement['kind']
  readonly state: string
  /** With DONE: the movement's id. */
  readonly ref?: string
  /** Nonce of the attempt that was armed last. */
  readonly nonce?: string
}

export interface TieOutEvidence {
  readonly movements: readonly BookedMovement[]
  readonly intents: readonly JournaledIntent[]
  readonly results: readonly MovementReport[]
  /** What the service's own checks of its ledger found. */
  readonly violations: readonly string[]
}

export interface TieOut {
  /** The number of movements that tie. */
  readonly tied: number
  /** The number of movements, or of DONE intents where there are more of them. */
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
      .filter(isOpen)
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
  movement: BookedMovement,
  movements: readonly BookedMovement[],
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
    owner.nonce === movement.nonce
      ? []
      : [`${name} was asked for by another request than intent ${owner.intentId} armed`]
  const reported = results.filter((result) => result.intentId === owner.intentId)
  const [result] = reported
  if (result === undefined) return [...problems, `intent ${owner.intentId} moved ${name} and gave no result`]
  return [...problems, ...differencesOf(movement, result)]
}

function isMovementOf({ kind, ref }: JournaledIntent, movement: BookedMovement): boolean {
  return kind === movement.kind && ref === movement.id
}

function differencesOf(movement: BookedMovement, result: MovementReport): string[] {
  const booked = fieldsOf(movement)
  const reported: Readonly<Record<string, unknown>> = { ...result }
  return Object.entries(booked)
    .filter(([field, value]) => !same(value, reported[field]))
    .map(
      ([field, value]) =>
        `${nameOf(movement)}: ${field} is ${value} in the ledger and ${reported[field] ?? 'missing'} in the result`,
    )
}

/** The fields of a movement, under the names that a result has for them. */
function fieldsOf(movement: BookedMovement): Readonly<Record<string, string>> {
  if (movement.kind === 'order') {
    const { id, market, side, baseAmount, quoteAmount } = movement
    return { orderId: id, market, side, baseAmount, quoteAmount }
  }
  const { id, assetSymbol, amount, fee, total } = movement
  return { withdrawalId: id, assetSymbol, amount, fee, total }
}

/** Amounts are equal whatever zeros trail them; anything else must be spelled the same. */
function same(booked: string, reported: unknown): boolean {
  return typeof reported === 'string' && withoutTrailingZeros(booked) === withoutTrailingZeros(reported)
}

function withoutTrailingZeros(text: string): string {
  return /^[0-9]+\.[0-9]+$/.test(text) ? text.replace(/0+$/, '').replace(/\.$/, '') : text
}

function isOpen({ state }: JournaledIntent): boolean {
  return state === IntentState.Ready || state === IntentState.Armed || state === IntentState.Escalated
}

function nameOf({ kind, id }: BookedMovement): string {
  return `${kind} ${id}`
}

function describeUnmoved({ intentId, ref }: JournaledIntent): string {
  return `intent ${intentId} is DONE by movement ${ref ?? '(none)'}, and the service moved no such thing`
}
