// Reads what the executions under way last reported. So lists can name what the service accepted and has not ended, what
// waits for a key that the service accepts, and what it calls failed without a proven refund. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { ErrorName } from '../../core/contract/errors.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { IntentState } from '../../core/contract/records.ts'
import { withdrawRequest } from '../../core/contract/withdraw.ts'
import { type Intent, isWithdrawal } from '../../core/journal/intent.ts'
import { type OnMisfit, readable } from '../../core/journal/listed-records.ts'
import type { ExecutionHistory } from '../../place/executions/execution-history.ts'
import type { Executions } from '../../place/executions/executions.ts'
import type { IntentAccess } from '../../place/journal/journal-parts.ts'
import type { OnCutOff } from '../../place/journal/run-journal.ts'
import { requestName } from '../words/request-words.ts'
import { MACHINES_OF, RequestKind } from './record-kind.ts'

/** Maximum executions under way that are read of each machine. */
const MOST_READ = 100

export interface UnderWay {
  readonly intentId: string
  readonly kind: RequestKind
  /** Undefined for a run, and where the journal has nothing of it. */
  readonly intent: Intent | undefined
  readonly last: LastReport
}

interface LastReport {
  readonly why?: string
  readonly isKeyRefused: boolean
  /** Whether the service calls the withdrawal failed, and its refund is not proven. */
  readonly isRefundDue: boolean
}

export async function readUnderWay(
  { journal, findHistory, listExecutions }: IntentAccess & Pick<Executions, 'findHistory' | 'listExecutions'>,
  { onMisfit, onCutOff }: { readonly onMisfit: OnMisfit; readonly onCutOff: OnCutOff },
): Promise<readonly UnderWay[]> {
  const kinds = Object.values(RequestKind).flatMap((kind) => MACHINES_OF[kind].map((machine) => ({ kind, machine })))
  const ofKinds = await mapBounded(kinds, READS_AT_ONCE, async ({ kind, machine }) => {
    const { names, isCutOff } = await listExecutions(machine, 'running', MOST_READ)
    if (isCutOff) onCutOff(`the newest ${names.length} executions under way of ${machine} were read`)
    return mapBounded(names, READS_AT_ONCE, async (name): Promise<readonly UnderWay[]> => {
      const intentId = intentIdOf(name)
      const find = async () => (kind === RequestKind.Run ? undefined : journal.find(intentId, kind))
      const found = await readable(find, onMisfit)
      if (found === 'unreadable') return []
      return [{ intentId, kind, intent: found.read, last: lastReportIn(await findHistory(machine, name)) }]
    })
  })
  return ofKinds.flat(2)
}

/**
 * The last report of a step, or its failure. Waits and choices pass a report on. What was called failed stays so until its end,
 * although a later read meets an outage.
 */
export function lastReportIn(history: ExecutionHistory | undefined): LastReport {
  const steps = history?.steps ?? []
  const reports = steps.flatMap((step) => (step.did === 'left' ? [step.output] : []))
  const due = reports.findLast(({ isRefundDue }) => isRefundDue === true)
  const step = steps.findLast(({ did }) => did !== 'entered')
  const { why, keyAtFault } =
    step?.did === 'failed'
      ? { why: step.message, keyAtFault: step.error === ErrorName.KeyFault }
      : (reports.at(-1) ?? {})
  const said = due?.why ?? why
  return {
    ...(typeof said === 'string' && { why: said }),
    isKeyRefused: keyAtFault === true,
    isRefundDue: due !== undefined,
  }
}

/** A movement under way that does not go on without a person. */
export interface Stalled {
  /** The id of the intent, or of the run. */
  readonly intentId: string
  readonly kind: RequestKind
  readonly cause: 'key refused' | 'refund due'
  /** The request in a few words; absent where the journal has nothing of it. */
  readonly asked?: string
  readonly why: string
}

export function stalledIn(all: readonly UnderWay[]): readonly Stalled[] {
  return all.flatMap(
    ({ intentId, kind, intent, last: { why = 'no reason was reported', isKeyRefused, isRefundDue } }) => {
      if (!isKeyRefused && !isRefundDue) return []
      const cause = isRefundDue ? 'refund due' : 'key refused'
      return [{ intentId, kind, cause, ...(intent && { asked: requestName(intent) }), why }]
    },
  )
}

/** A withdrawal that the service accepted, and whose end is not known. */
export interface OnTheWay {
  readonly intentId: string
  /** The request in a few words, with the payee. */
  readonly asked: string
  readonly asset: string
  /** As requested, in settled units. */
  readonly amount: string
  /** ISO-8601: when it was asked for. */
  readonly since: string
  /** Present where the service calls it failed, and its refund is not proven. */
  readonly isRefundDue?: true
}

/** Undefined for every other intent. `last`: the last report of its execution. */
export function onTheWayOf(intent: Intent | undefined, last: { readonly isRefundDue?: boolean }): OnTheWay | undefined {
  if (intent?.state !== IntentState.Done || !isWithdrawal(intent)) return undefined
  const { intentId, createdAt: since, params } = intent
  const request = withdrawRequest.safeParse(params).data
  if (request === undefined) return undefined
  const known = { intentId, asked: requestName(intent), asset: request.assetSymbol, amount: request.amount, since }
  return last.isRefundDue === true ? { ...known, isRefundDue: true } : known
}
