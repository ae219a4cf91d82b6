// Says what may be sent where a person enters an intent or a run again, as the question to ask before. Reads the journal
// only. An entry that can send nothing needs no question.

import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { endOfWait } from '../../core/runs/approval/end-of-wait.ts'
import { isUnbegun, RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { Reader } from '../../place/reader.ts'
import { findOneIntent, RequestKind } from '../movements/record-kind.ts'
import { requestText } from '../words/request-words.ts'
import { namedRun } from '../words/run-name.ts'

/** `kind` says whether `id` is that of a run. Undefined where the entry sends nothing. */
export function readAgainQuestion(
  { flags, context }: Reader,
  id: string,
  kind: RequestKind | undefined,
): Promise<string | undefined> {
  return withJournalConnection(flags, context, async ({ journal, runJournal }) => {
    if (kind === RequestKind.Run) {
      const run = await runJournal.runs.find(id)
      return run && questionOfRun(run, context.clock.nowMs())
    }
    const intent = await findOneIntent(id, undefined, journal)
    if (intent === undefined) return `begin ${id}? It was never begun, and may now send what it asks for`
    return questionOf(intent, context.clock.nowMs())
  })
}

function questionOf(intent: Intent, nowMs: number): string | undefined {
  const { intentId, state, notAfter } = intent
  const named = `the ${intent.kind === IntentKind.Convert ? 'conversion' : 'withdrawal'} ${intentId}`
  if (state === IntentState.Ready && nowMs >= Date.parse(notAfter)) return undefined
  if (state === IntentState.Ready) return `continue ${named}? It may send now: ${requestText(intent)}`
  if (state !== IntentState.Armed) return undefined
  return `check ${named} again? It looks for its movement first. Only where it is certain that nothing moved, it may send again: ${requestText(intent)}`
}

function questionOfRun(run: RunRecord, nowMs: number): string | undefined {
  const { policy, outcome } = run
  const named = namedRun(run)
  // An approved plan has a person's yes already, and a rejected or an expired plan sends nothing.
  if (endOfWait(run, nowMs) !== undefined) return undefined
  if (isUnbegun(run))
    return `begin ${named} now? It plans policy ${policy} at the prices and balances of now, and may send its legs`
  if (outcome === RunEnd.NeedsAttention)
    return `settle ${named} by its legs? A leg in doubt is looked for first. Only where it is certain that the leg moved nothing, it may be sent again`
  return outcome === RUNNING ? `continue ${named}? It may send its legs` : undefined
}
