// Compares the movements of the sandbox's oracle with the journal. Pure. Every sentence that it returns is a broken
// promise.
import { IntentKind, type IntentState, IntentState as State } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'

/** The judged fields of a movement in the oracle. */
export interface OracleMovement {
  readonly kind: 'order' | 'withdrawal'
  readonly id: string
  /** The nonce of the signed request that it came from. */
  readonly nonce: string
  readonly contactId?: string
  readonly side?: string
  readonly baseAmount?: string
  readonly quoteAmount?: string
  readonly amount?: string
  readonly total?: string
}

/** The journal's kind for each kind of the oracle. */
export const INTENT_KIND = { order: IntentKind.Convert, withdrawal: IntentKind.Withdraw } as const

/** The judged fields of an intent in the journal. */
export interface JudgedIntent {
  readonly intentId: string
  readonly kind: IntentKind
  readonly state: IntentState
  readonly ref?: string
  readonly attempt?: {
    readonly nonce: string
    readonly terms?: { readonly baseAmount: string; readonly quoteAmount: string }
  }
  readonly params: { readonly side?: string }
  readonly frozen: { readonly contactId?: string; readonly amount: string; readonly feeMode?: string }
}

/** The judged fields of a policy run's report. */
export interface JudgedRun {
  readonly runId: string
  readonly outcome: string
  readonly tiesOut?: boolean | undefined
  readonly legs: readonly {
    readonly intentId: string
    readonly conversion?: { readonly orderId?: string | undefined } | undefined
    readonly withdrawal?: { readonly withdrawalId?: string | undefined } | undefined
  }[]
}

export interface Evidence {
  readonly movements: readonly OracleMovement[]
  /** The run's intents that the journal knows. */
  readonly intents: readonly JudgedIntent[]
  /** By `movementKey`: the intent that claims the movement. */
  readonly claims: ReadonlyMap<string, string | undefined>
  /** The imbalances of the sandbox's own books. */
  readonly ledgerViolations: readonly unknown[]
}

const ZERO: ReadonlySet<IntentState> = new Set([State.Rejected, State.Exhausted])

export function judge({ movements, intents, claims, ledgerViolations }: Evidence): string[] {
  const byId = new Map(intents.map((intent) => [intent.intentId, intent]))
  return [
    ...ledgerViolations.map((violation) => `the ledger does not sum to zero: ${JSON.stringify(violation)}`),
    ...movements.flatMap((movement) => judgeMovement(movement, byId.get(claims.get(movementKey(movement)) ?? ''))),
    ...intents.flatMap((intent) =>
      judgeIntent(
        intent,
        movements.filter((movement) => claims.get(movementKey(movement)) === intent.intentId),
      ),
    ),
  ]
}

/** Ids are unique only within their kind. */
export function movementKey({ kind, id }: Pick<OracleMovement, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

const MOVES_BY = { [IntentKind.Convert]: 'order', [IntentKind.Withdraw]: 'withdrawal' } as const

function judgeMovement({ kind, id }: OracleMovement, claimant: JudgedIntent | undefined): string[] {
  if (claimant === undefined) return [`${kind} ${id} moved, and no intent of the run claims it`]
  if (claimant.ref === id && MOVES_BY[claimant.kind] === kind) return []
  return [
    `${kind} ${id} is claimed by ${claimant.intentId}, which is ${claimant.state} by ${claimant.ref ?? 'nothing'}`,
  ]
}

function judgeIntent(intent: JudgedIntent, own: readonly OracleMovement[]): string[] {
  const who = `intent ${intent.intentId}`
  if (own.length > 1) return [`${who} moved ${own.length} times`]
  const [movement] = own
  if (intent.state === State.Done) {
    if (movement === undefined) return [`${who} is DONE by ${intent.ref}, which did not move`]
    return differences(intent, movement).map((what) => `${who}: ${what}`)
  }
  if (movement !== undefined) return [`${who} is ${intent.state}, and moved by ${movement.id}`]
  return ZERO.has(intent.state) ? [] : [`${who} did not come to an end: it is ${intent.state}`]
}

function differences({ attempt, params, frozen }: JudgedIntent, movement: OracleMovement): string[] {
  const expected: Partial<OracleMovement> =
    movement.kind === 'order'
      ? {
          side: params.side ?? '',
          ...(attempt?.terms && { baseAmount: attempt.terms.baseAmount, quoteAmount: attempt.terms.quoteAmount }),
        }
      : { contactId: frozen.contactId ?? '', [frozen.feeMode === 'deduct' ? 'total' : 'amount']: frozen.amount }
  return Object.entries({ nonce: attempt?.nonce, ...expected }).flatMap(([field, value]) => {
    const moved = movement[field as keyof OracleMovement]
    return moved === value ? [] : [`the ${field} of what moved is ${moved}, not ${value}`]
  })
}

/**
 * Judges whether the report of a policy's run gives the result of each leg's intent. `intents`: includes those of its
 * legs.
 */
export function judgeRun({ runId, outcome, legs, tiesOut }: JudgedRun, intents: readonly JudgedIntent[]): string[] {
  const byId = new Map(intents.map((intent) => [intent.intentId, intent]))
  if (outcome === 'RUNNING' || outcome === RunEnd.NeedsAttention) return [`run ${runId} did not come to an end`]
  return [
    ...(legs.length === 0 || tiesOut === true ? [] : [`run ${runId} is ${outcome}, and does not tie out`]),
    ...legs.flatMap(({ intentId, conversion, withdrawal }) => {
      const intent = byId.get(intentId)
      const moved = intent?.state === State.Done ? intent.ref : undefined
      const isReported = moved === undefined || moved === (conversion?.orderId ?? withdrawal?.withdrawalId)
      return isReported ? [] : [`run ${runId} does not tell that ${intentId} moved by ${moved}`]
    }),
  ]
}
