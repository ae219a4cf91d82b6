// Finds the intents that need a person: those that are open, by the journal's index, and by the executions that failed or were
// stopped those whose movement is certain and did not come to its end, and those that a fault of ours kept out of the
// journal. So its cost goes by what is under way and by what failed of
// late, and not by how much was ever asked for. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { entryOf, intentIdOf } from '../../core/contract/fields.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState, intentName } from '../../core/contract/records.ts'
import { MACHINE_OF_INTENTS } from '../../core/contract/states.ts'
import { runOf } from '../../core/journal/entering.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { MOST_OPEN, type OnMisfit, readable } from '../../core/journal/listed-records.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { KnownExecution } from '../connection/journal/aws-executions.ts'
import type { JournalConnection } from '../connection/journal/journal-connection.ts'
import type { OnCutOff } from '../connection/journal/run-journal.ts'
import { type Attention, asksExecution, findAttention, type Unopened, unopenedOf } from '../movements/attention.ts'
import type { ReadsPaid } from '../runs/paid-before.ts'
import { findWaitingMovements, type WaitingMovement } from '../runs/waiting-movements.ts'

type Reads = Pick<
  JournalConnection,
  'store' | 'openIntents' | 'journal' | 'findExecution' | 'listFailed' | 'treasury'
> &
  ReadsPaid

interface Looking {
  /** The name of an open intent with its kind: only those behind it in the index are looked at. */
  readonly after?: string | undefined
  /** How many failed executions of each machine are looked at. */
  readonly failed: number
  readonly nowMs: number
  readonly onMisfit: OnMisfit
  readonly onCutOff: OnCutOff
}

export interface FoundWaiting {
  /** By the id of the intent. */
  readonly waiting: readonly Attention[]
  /** Asked for, and kept out of the journal by a fault of ours. By the id of the intent. */
  readonly unopened: readonly Unopened[]
  /** Those that wait for people to approve them. */
  readonly movements: readonly WaitingMovement[]
  /** Where more intents are open than were looked at: `--after` goes on from here. */
  readonly lookedAtUpTo?: string
}

export async function findWaiting(connection: Reads, looking: Looking): Promise<FoundWaiting> {
  const { after, nowMs, onMisfit, onCutOff } = looking
  const { intents, lookedAtUpTo } = await connection.openIntents({ after, onMisfit })
  if (lookedAtUpTo !== undefined) {
    onCutOff(`more intents are open: ${MOST_OPEN} were looked at, and --after ${lookedAtUpTo} looks at the next`)
  }
  const open = await mapBounded(intents, READS_AT_ONCE, (intent) => attentionTo(intent, connection))
  const stuck = await Promise.all(Object.values(IntentKind).map((kind) => findStuck(kind, connection, looking)))
  const waits = [...open, ...stuck.flatMap(({ waiting }) => waiting)]
  const found = new Map(waits.flatMap((each) => (each ? [[intentName(each.kind, each.intentId), each] as const] : [])))
  return {
    waiting: byId([...found.values()]),
    unopened: byId(stuck.flatMap(({ unopened }) => unopened)),
    movements: await findWaitingMovements(intents, connection, nowMs),
    ...(lookedAtUpTo !== undefined && { lookedAtUpTo }),
  }
}

/** `entry`: one of its executions that is known to be there. */
async function attentionTo(intent: Intent, connection: Reads, entry = 1): Promise<Attention | undefined> {
  const last = asksExecution(intent) ? await findLastExecution(intent, connection, entry) : undefined
  return findAttention(intent, last, connection.treasury.timing)
}

async function findLastExecution(
  { kind, intentId, params }: Pick<Intent, 'kind' | 'intentId'> & Partial<Pick<Intent, 'params'>>,
  { findExecution }: Reads,
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

interface OfFailed {
  readonly waiting: readonly (Attention | undefined)[]
  readonly unopened: readonly Unopened[]
}

/**
 * Intents whose movement is proven are in no list of open ones, and what was never opened is in none at all. STUCK,
 * NEEDS_ATTENTION and OWN_FAULT are errors, so an execution that ended so is FAILED. One that was stopped, or timed out, has left its movement
 * to nobody.
 */
async function findStuck(
  kind: IntentKind,
  connection: Reads,
  { failed, onMisfit, onCutOff }: Looking,
): Promise<OfFailed> {
  const { names, isCutOff } = await connection.listFailed(MACHINE_OF_INTENTS[kind], failed)
  if (isCutOff) {
    onCutOff(
      `of the executions of ${MACHINE_OF_INTENTS[kind]} that failed, the newest ${names.length} were looked at: --failed N looks at more`,
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
    // Others are at their end without a movement, or open: those were found above.
    return intent.state === IntentState.Done ? { waiting: await attentionTo(intent, connection, entry) } : {}
  })
  return {
    waiting: found.map(({ waiting }) => waiting),
    unopened: found.flatMap(({ unopened }) => unopened ?? []),
  }
}

/** A fault of ours that came before the journal could be written. Whatever else ended without a record was refused. */
async function unopenedBy(
  intentId: string,
  kind: IntentKind,
  connection: Reads,
  entry: number,
): Promise<Unopened | undefined> {
  const last = await findLastExecution({ kind, intentId }, connection, entry)
  return last?.error === ConvertEnd.OwnFault ? unopenedOf(intentId, kind, last) : undefined
}
