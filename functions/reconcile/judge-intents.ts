// Judges intents: each DONE intent has its movement and its claim, and no open intent is overdue or changed.
import { findChange, findOverdue } from '../../core/audit/judge-movement.ts'
import { FindingType } from '../../core/contract/reconcile.ts'
import { IntentState, listing } from '../../core/contract/records.ts'
import { type Intent, isConversion } from '../../core/journal/intent.ts'
import { findNamed } from '../../core/journal/journal.ts'
import { findUnproven } from '../../core/movements/follows.ts'
import type { Judging } from './collected.ts'
import type { SentIntents } from './read-ahead.ts'

/** Maximum number of open intents. */
const MOST_OPEN = 5_000

/** Movements that the slice has judged, by kind. */
type Shown = Readonly<Record<'order' | 'withdrawal', ReadonlySet<string>>>

/** Judges the DONE intents that were armed in the slice and in the stretch of the audit. */
export async function judgeDoneIntents(judging: Judging, sent: SentIntents, shown: Shown): Promise<void> {
  const { window, slice, ahead, collected } = judging
  const sinceMs = Math.max(window.sinceMs, slice.sinceMs)
  for await (const name of sent.namesWithin({ ...slice, sinceMs })) {
    const found = await collected.readable(() => findNamed(ahead, name))
    const intent = found === 'unreadable' ? undefined : found.read
    if (intent?.state !== IntentState.Done) continue
    const armedAtMs = (intent.attempt?.iat ?? 0) * 1000
    if (!(armedAtMs > sinceMs && armedAtMs <= slice.throughMs)) continue
    collected.counts.intents += 1
    await judgeDoneIntent(judging, intent, shown)
  }
}

async function judgeDoneIntent(judging: Judging, intent: Intent, shown: Shown): Promise<void> {
  if (!(await isProven(judging, intent))) return
  const { intentId, ref = '' } = intent
  const movement = isConversion(intent) ? 'order' : 'withdrawal'
  // The movement may be dated after its attempt and lie outside the lists, so read it by its id.
  if (shown[movement].has(ref) || (await isShownById(judging, intent, ref))) return
  const message = `intent ${intentId} is DONE by ${movement} ${ref}, which the service does not show`
  judging.collected.find({ finding: FindingType.MissingMovement, movement, movementId: ref, intentId, message })
}

/**
 * Whether the record proves that the intent is DONE; it is a finding otherwise. An unreadable claim is one of its own.
 */
async function isProven({ ports, ahead, collected }: Judging, intent: Intent): Promise<boolean> {
  const { intentId, kind, ref = '' } = intent
  const known = await collected.readable(() => ahead.findClaim(kind, ref))
  if (known !== 'unreadable' && findUnproven(intent, known.read) === undefined) return true
  // The claim may be younger than what was read ahead.
  const claim = await collected.readable(() => ports.journal.findClaim(kind, ref))
  const message = claim === 'unreadable' ? undefined : findUnproven(intent, claim.read)
  if (message !== undefined) collected.find({ finding: FindingType.ChangedRecord, intentId, message })
  return message === undefined
}

async function isShownById({ ports: { service } }: Judging, intent: Intent, ref: string): Promise<boolean> {
  return (isConversion(intent) ? await service.findOrder(ref) : await service.findWithdrawal(ref)) !== undefined
}

/** Returns the intents that are ARMED, not overdue, and as requested: each may be about to claim its movement. */
export async function judgeOpenIntents(judging: Judging): Promise<readonly Intent[]> {
  const { ports, collected, nowMs } = judging
  const underWay: Intent[] = []
  for (const name of await ports.index.list(listing.open, MOST_OPEN)) {
    const found = await collected.readable(() => findNamed(ports.journal, name))
    const intent = found === 'unreadable' ? undefined : found.read
    if (intent === undefined) continue
    const { intentId } = intent
    collected.counts.intents += 1
    // The index lags, and an edited record may still be in its list.
    if (intent.state === IntentState.Done) await isProven(judging, intent)
    const changed = findChange(intent)
    if (changed !== undefined) {
      const message = `intent ${intentId} is ${intent.state}, and ${changed}`
      collected.find({ finding: FindingType.ChangedRecord, intentId, message })
    }
    const overdue = findOverdue(intent, nowMs, ports.timing)
    if (overdue === undefined) {
      if (intent.state === IntentState.Armed && changed === undefined) underWay.push(intent)
      continue
    }
    collected.find({ finding: FindingType.OverdueIntent, intentId, message: `intent ${intentId} is ${overdue}` })
  }
  return underWay
}
