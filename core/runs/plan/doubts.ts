// Which assets an intent in doubt speaks of: its movement may or may not be in the figures, so that nothing is
// planned with them. The journal's list of open intents names those that are not at an end.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { IntentState, listing } from '../../contract/records.ts'
import { type Intent, isConversion, type WithdrawIntent } from '../../journal/intent.ts'
import type { RunPorts } from '../ports.ts'

/** More open intents than these are no state in which to plan. */
const MOST_OPEN_INTENTS = 1_000

export interface OpenIntents {
  /** By settled code: the intent that is in doubt. */
  readonly inDoubt: ReadonlyMap<string, string>
  /** By contact's id: the withdrawal to it that is not at an end. */
  readonly onTheirWay: ReadonlyMap<string, string>
}

/** @throws Transient, Defect beyond 1,000 open intents */
export async function findOpenIntents({ journal, index }: Pick<RunPorts, 'journal' | 'index'>): Promise<OpenIntents> {
  const ids = await index.list(listing.open, MOST_OPEN_INTENTS)
  const intents = await mapBounded(ids, READS_AT_ONCE, (intentId) => journal.find(intentId))
  const inDoubt = new Map<string, string>()
  const onTheirWay = new Map<string, string>()
  for (const intent of intents) {
    if (intent === undefined) continue
    // Of one that is READY nothing has been sent: the figures are as they stand.
    const isDoubtful = intent.state === IntentState.Armed || intent.state === IntentState.Escalated
    if (isDoubtful) for (const asset of assetsOf(intent)) inDoubt.set(asset, intent.intentId)
    const contactId = isConversion(intent) ? undefined : contactOf(intent)
    if (contactId !== undefined && (isDoubtful || intent.state === IntentState.Ready)) {
      onTheirWay.set(contactId, intent.intentId)
    }
  }
  return { inDoubt, onTheirWay }
}

/** Of one that the journal had lost, only what was asked for is known, and that perhaps in part. */
function assetsOf(intent: Intent): readonly string[] {
  if (isConversion(intent)) return [intent.params.baseAsset, intent.params.quoteAsset].filter(isText)
  return [{ ...intent.params, ...intent.frozen }.assetSymbol].filter(isText)
}

function contactOf({ params, frozen }: WithdrawIntent): string | undefined {
  const { contactId } = { ...params, ...frozen }
  return isText(contactId) ? contactId : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
