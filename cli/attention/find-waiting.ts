// Finds the intents that need a person: those that are open, by the journal's index, and those whose movement is certain
// and did not come to its end, by the executions that failed. So its cost goes by what is under way and by what failed of
// late, and not by how much was ever asked for. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { entryOf, intentIdOf } from '../../core/contract/fields.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { MACHINE_OF_INTENTS } from '../../core/contract/states.ts'
import { Defect } from '../../core/errors.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { KnownExecution } from '../target/journal/aws-executions.ts'
import type { JournalTarget } from '../target/journal/journal-target.ts'
import type { OnCutOff } from '../target/journal/listed-keys.ts'
import { MOST_OPEN, type OnMisfit } from '../target/journal/open-intents.ts'
import { type Attention, asksExecution, findAttention } from './attention.ts'

type Reads = Pick<JournalTarget, 'openIntents' | 'journal' | 'findExecution' | 'listFailed' | 'treasury'>

interface Looking {
  /** The id of an open intent: only those behind it in the index are looked at. */
  readonly after?: string | undefined
  /** How many failed executions of each machine are looked at. */
  readonly failed: number
  readonly onMisfit: OnMisfit
  readonly onCutOff: OnCutOff
}

export interface FoundWaiting {
  /** By the id of the intent. */
  readonly waiting: readonly Attention[]
  /** Policies for which something is under way. */
  readonly policies: readonly string[]
  /** Where more intents are open than were looked at: `--after` goes on from here. */
  readonly lookedAtUpTo?: string
}

export async function findWaiting(target: Reads, looking: Looking): Promise<FoundWaiting> {
  const { after, onMisfit, onCutOff } = looking
  const { intents, lookedAtUpTo } = await target.openIntents({ after, onMisfit })
  if (lookedAtUpTo !== undefined) {
    onCutOff(`more intents are open: ${MOST_OPEN} were looked at, and --after ${lookedAtUpTo} looks at the next`)
  }
  const open = await mapBounded(intents, READS_AT_ONCE, (intent) => attentionTo(intent, target))
  const stuck = await Promise.all(Object.values(IntentKind).map((kind) => findStuck(kind, target, looking)))
  const found = new Map([...open, ...stuck.flat()].flatMap((each) => (each ? [[each.intentId, each] as const] : [])))
  const policies = intents.flatMap(({ params: { policy } }) => (typeof policy === 'string' ? [policy] : []))
  return {
    waiting: [...found.values()].sort((left, right) => (left.intentId < right.intentId ? -1 : 1)),
    policies: [...new Set(policies)],
    ...(lookedAtUpTo !== undefined && { lookedAtUpTo }),
  }
}

/** `entry`: one of its executions that is known to be there. */
async function attentionTo(intent: Intent, target: Reads, entry = 1): Promise<Attention | undefined> {
  const last = asksExecution(intent) ? await findLastExecution(intent, target, entry) : undefined
  return findAttention(intent, last, target.treasury.timing)
}

async function findLastExecution(
  { kind, intentId }: Intent,
  { findExecution }: Reads,
  entry: number,
): Promise<KnownExecution | undefined> {
  const { kept } = await findLastEntry(intentId, (name) => findExecution(MACHINE_OF_INTENTS[kind], name), entry)
  return kept
}

/**
 * Intents whose movement is proven are in no list of open ones. STUCK is an error, so an execution that ended so is FAILED:
 * one that timed out or was stopped is none.
 */
async function findStuck(
  kind: IntentKind,
  target: Reads,
  { failed, onMisfit, onCutOff }: Looking,
): Promise<readonly (Attention | undefined)[]> {
  const { names, isCutOff } = await target.listFailed(MACHINE_OF_INTENTS[kind], failed)
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
  return mapBounded([...entries], READS_AT_ONCE, async ([intentId, entry]) => {
    const intent = await findReadable(intentId, target, onMisfit)
    // Others are at their end without a movement, or open: those were found above.
    return intent?.state === IntentState.Done ? attentionTo(intent, target, entry) : undefined
  })
}

async function findReadable(
  intentId: string,
  { journal }: Pick<Reads, 'journal'>,
  onMisfit: OnMisfit,
): Promise<Intent | undefined> {
  try {
    return await journal.find(intentId)
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    onMisfit(error)
    return undefined
  }
}
