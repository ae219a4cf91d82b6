// Asks the service now whether the movements of a run, or one movement, have ended, and lets the run end where all
// have. Its execution would read them at its next time, for a bank within an hour. Each movement that is entered again
// exists already. A run then continues as its execution would.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { type IntentKind, IntentState } from '../../core/contract/records.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../core/contract/withdraw.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { frozenLegs, isAtEnd, legOf } from '../../core/runs/record/run-record.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import type { JournalConnection } from '../../place/journal-connection.ts'
import { findRun } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'
import { atJournalAndService } from '../../place/reader.ts'
import { assertOwnAccount } from '../journal/own-account.ts'
import { findOneIntent, RequestKind } from '../movements/record-kind.ts'
import { type AgainResult, enterCases } from './enter-cases.ts'

/** A run, or one movement without a run. */
export interface CheckedId {
  readonly id: string
  readonly kind: RequestKind
}

export interface CheckedEnds {
  /** Movements that exist, and those of them that have ended. */
  readonly count: number
  readonly ended: number
  /** Movements that are not sent, or in doubt. They continue by themselves. */
  readonly open: number
  /** Present where every movement has ended: the result of the execution that has seen it. */
  readonly again?: AgainResult
}

const ENDS: ReadonlySet<string> = new Set(['FILLED', 'FAILED', 'COMPLETED', ...FAILED_WITHDRAWAL_STATUSES])

/** @throws OperationError where the service does not answer, or nothing waits for it */
export async function checkEnds(
  { id, kind }: CheckedId,
  flags: ConnectionFlags,
  progress: Progress,
  context: OperationContext,
): Promise<CheckedEnds> {
  const { count, ended, open } = await atJournalAndService({ flags, context }, async (connection, service) => {
    await assertOwnAccount(connection, service)
    const intents = await intentsOf({ id, kind }, connection)
    const sent = intents.filter(({ state }) => state === IntentState.Done)
    const ends = await mapBounded(sent, READS_AT_ONCE, (intent) => isEnded(intent, service))
    const openOnes = intents.filter(({ state }) => OPEN.has(state))
    return { count: sent.length, ended: ends.filter(Boolean).length, open: openOnes.length }
  })
  if (count === 0 || ended < count || open > 0) return { count, ended, open }
  const again = await enterCases({ id, kind, beside: true }, flags, progress, context)
  return { count, ended, open, again }
}

const OPEN: ReadonlySet<IntentState> = new Set([IntentState.Ready, IntentState.Armed, IntentState.Escalated])

async function intentsOf({ id, kind }: CheckedId, connection: JournalConnection): Promise<readonly Intent[]> {
  const { journal } = connection
  if (kind !== RequestKind.Run) {
    const intent = await findOneIntent(id, kind as IntentKind, journal)
    return intent === undefined ? [] : [intent]
  }
  const run = await findRun(id, connection)
  if (isAtEnd(run)) throw ended(id)
  const legs = frozenLegs(run)
  const intents = await mapBounded(legs, READS_AT_ONCE, (leg) => journal.find(leg.intentId, legOf(run, leg).kind))
  return intents.filter((intent) => intent !== undefined)
}

async function isEnded({ kind, ref = '' }: Intent, service: ServiceClient): Promise<boolean> {
  const { status } = kind === 'convert' ? await service.order(ref) : await service.withdrawal(ref)
  return ENDS.has(status)
}

function ended(id: string): OperationError {
  const next = { do: 'show-run', id } as const
  return failedWith('refused', `run ${id} has ended meanwhile: there is nothing to check`, next)
}
