// Finds the intents that need a person, and those that are under way, in doubt, or wait for approval. Open intents come
// from the journal's index. Intents whose movement exists without a known end come from the executions that failed or
// were stopped; so do intents that a fault of ours kept out of the journal. The cost grows with what is under way and
// what failed lately, and not with the size of the journal. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { entryOf, intentIdOf } from '../../core/contract/fields.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState, intentName } from '../../core/contract/records.ts'
import { MACHINE_OF_INTENTS } from '../../core/contract/states.ts'
import { runOf } from '../../core/journal/entering.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { MOST_OPEN, type OnMisfit, readable } from '../../core/journal/listed-records.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { Executions, KnownExecution } from '../../place/executions/executions.ts'
import type {
  ApprovalAccess,
  ConfiguredJournal,
  IntentAccess,
  OpenIntentAccess,
  RecordAccess,
  RequestAccess,
} from '../../place/journal/journal-parts.ts'
import { type Advice, advice, option } from '../../place/next-step.ts'
import { type Attention, asksExecution, findAttention, type Unopened, unopenedOf } from '../movements/attention.ts'
import { findLegResult } from '../movements/read-rows.ts'
import { type OnTheWay, onTheWayOf, readUnderWay, type Stalled, stalledIn } from '../movements/under-way.ts'
import type { WaitingMovement } from '../runs/waiting-movements.ts'
import { type Doubt, doubtsOf } from './doubts.ts'

export type ReadsWaiting = ConfiguredJournal &
  IntentAccess &
  Pick<OpenIntentAccess, 'openIntents'> &
  Pick<RecordAccess, 'store'> &
  Pick<Executions, 'findExecution' | 'findHistory' | 'listExecutions'> &
  RequestAccess &
  Pick<ApprovalAccess, 'decisionKey'>

interface Looking {
  /** The name of an open intent, with its kind. Only intents behind it in the index are examined. */
  readonly after?: string | undefined
  readonly failed: number
  readonly nowMs: number
  readonly onMisfit: OnMisfit
  readonly onCutOff: (message: Advice) => void
}

interface FoundWaiting {
  /** Sorted by the id of the intent. */
  readonly waiting: readonly Attention[]
  /** Intents that a fault of ours kept out of the journal, sorted by id. */
  readonly unopened: readonly Unopened[]
  /** Movements that wait for people to approve them. */
  readonly movements: readonly WaitingMovement[]
  /** Movements under way that do not go on without a person. */
  readonly stalled: readonly Stalled[]
  /** Withdrawals that the service accepted, and whose end is not known, oldest first. */
  readonly onTheWay: readonly OnTheWay[]
  /** Sends whose effect will be known by itself. */
  readonly doubts: readonly Doubt[]
  /** The place to continue from, if more intents are open than were examined. */
  readonly lookedAtUpTo?: string
}

export async function findWaiting(connection: ReadsWaiting, looking: Looking): Promise<FoundWaiting> {
  const { after, nowMs, onMisfit, onCutOff } = looking
  const { intents, lookedAtUpTo } = await connection.openIntents({ after, onMisfit })
  if (lookedAtUpTo !== undefined) {
    onCutOff(
      advice`more intents are open: ${MOST_OPEN} were read, and ${option('after')} ${lookedAtUpTo} reads the next`,
    )
  }
  const open = await mapBounded(intents, READS_AT_ONCE, (intent) => attentionTo(intent, connection))
  const stuck = await Promise.all(Object.values(IntentKind).map((kind) => findStuck(kind, connection, looking)))
  const underWay = await readUnderWay(connection, { onMisfit, onCutOff })
  const sent = [...stuck.flatMap(({ done }) => done), ...underWay.map(({ intent, last }) => onTheWayOf(intent, last))]
  const onTheWay = new Map(sent.flatMap((each) => (each === undefined ? [] : [[each.intentId, each] as const])))
  const waits = [...open, ...stuck.flatMap(({ waiting }) => waiting)]
  const found = new Map(waits.flatMap((each) => (each ? [[intentName(each.kind, each.intentId), each] as const] : [])))
  const inNeed = new Set([...found.values()].map(({ intentId }) => intentId))
  return {
    waiting: byId([...found.values()]),
    doubts: doubtsOf(intents, inNeed, { nowMs, timing: connection.treasury.timing }),
    unopened: byId(stuck.flatMap(({ unopened }) => unopened)),
    stalled: byId(stalledIn(underWay)),
    onTheWay: byId([...onTheWay.values()]).toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since)),
    movements: await movementsOf(intents, connection, nowMs),
    ...(lookedAtUpTo !== undefined && { lookedAtUpTo }),
  }
}

/** Mostly no intent is open. So the rules of approvals are loaded only where one is. */
async function movementsOf(
  intents: readonly Intent[],
  connection: ReadsWaiting,
  nowMs: number,
): Promise<readonly WaitingMovement[]> {
  if (intents.length === 0) return []
  const { findWaitingMovements } = await import('../runs/waiting-movements.ts')
  return findWaitingMovements(intents, connection, nowMs)
}

/** `entry`: the number of an execution that is known to exist. The search begins there. */
async function attentionTo(intent: Intent, connection: ReadsWaiting, entry = 1): Promise<Attention | undefined> {
  const last = asksExecution(intent) ? await findLastExecution(intent, connection, entry) : undefined
  const runId = last && intent.state === IntentState.Done ? runOf(intent) : undefined
  const leg = runId === undefined ? undefined : await findLegResult(runId, intent.intentId, connection.readRecord)
  return findAttention(intent, last, connection.treasury.timing, leg)
}

async function findLastExecution(
  { kind, intentId, params }: Pick<Intent, 'kind' | 'intentId'> & Partial<Pick<Intent, 'params'>>,
  { findExecution }: ReadsWaiting,
  entry: number,
): Promise<KnownExecution | undefined> {
  const { kept } = await findLastEntry(intentId, (name) => findExecution(MACHINE_OF_INTENTS[kind], name), {
    from: entry,
    isLeg: params !== undefined && runOf({ params }) !== undefined,
  })
  return kept
}

function byId<Found extends { readonly intentId: string }>(found: readonly Found[]): readonly Found[] {
  return found.toSorted((left, right) => (left.intentId < right.intentId ? -1 : 1))
}

interface FoundStuck {
  readonly waiting: readonly (Attention | undefined)[]
  readonly done: readonly (OnTheWay | undefined)[]
  readonly unopened: readonly Unopened[]
}

/**
 * Finds intents with a proven movement, and requests that were never opened: the index of open intents has neither.
 * STUCK, NEEDS_ATTENTION and OWN_FAULT are errors, so an execution that ended so is FAILED. Nobody follows the movement
 * of an execution that was stopped or timed out.
 */
async function findStuck(
  kind: IntentKind,
  connection: ReadsWaiting,
  { failed, onMisfit, onCutOff }: Looking,
): Promise<FoundStuck> {
  const { names, isCutOff } = await connection.listExecutions(MACHINE_OF_INTENTS[kind], 'failed', failed)
  if (isCutOff) {
    onCutOff(
      advice`the newest ${names.length} of the failed executions of ${MACHINE_OF_INTENTS[kind]} were read: ${option('failed')} N reads more`,
    )
  }
  const entries = new Map<string, number>()
  for (const name of names) {
    const intentId = intentIdOf(name)
    entries.set(intentId, Math.max(entryOf(name), entries.get(intentId) ?? 0))
  }
  const found = await mapBounded([...entries], READS_AT_ONCE, async ([intentId, entry]) => {
    const found = await readable(() => connection.journal.find(intentId, kind), onMisfit)
    if (found === 'unreadable') return {}
    const intent = found.read
    if (intent === undefined) return { unopened: await unopenedBy(intentId, kind, connection, entry) }
    // Other states have ended without a movement, or are open and were found above.
    const waiting = intent.state === IntentState.Done ? await attentionTo(intent, connection, entry) : undefined
    return waiting === undefined ? {} : { waiting, done: onTheWayOf(intent, waiting) }
  })
  return {
    waiting: found.map(({ waiting }) => waiting),
    done: found.flatMap(({ done }) => done ?? []),
    unopened: found.flatMap(({ unopened }) => unopened ?? []),
  }
}

/**
 * Returns an intent that a fault of ours stopped before its first record. Every other request without a record was
 * refused.
 */
async function unopenedBy(
  intentId: string,
  kind: IntentKind,
  connection: ReadsWaiting,
  entry: number,
): Promise<Unopened | undefined> {
  const last = await findLastExecution({ kind, intentId }, connection, entry)
  return last?.error === ConvertEnd.OwnFault ? unopenedOf(intentId, kind, last) : undefined
}
