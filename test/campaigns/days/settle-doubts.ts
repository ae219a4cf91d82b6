// Settles doubts as people do: by Resolve, with the movement that is theirs, and by a check of the runs that had them.
import { randomUUID } from 'node:crypto'
import type { EmbeddedAws } from '@sluice/embedded-aws'
import { intentIdOf } from '../../../core/contract/fields.ts'
import { IntentKind, IntentState } from '../../../core/contract/records.ts'
import { RunEnd } from '../../../core/contract/runs.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { questionHash } from '../../../core/journal/persons-question.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import { enterAgain, findLastEntry } from '../../../core/triggers/entries.ts'
import { ask } from './ask.ts'

/** Who settles doubts. */
const SETTLER = 'days'

/** A movement in the service's books. */
export interface Found {
  readonly id: string
  /** Absent for an order. */
  readonly assetSymbol?: string
}

/** Resolves each withdrawal in doubt with the one movement of its asset that nobody has claimed. */
export async function resolveAll(
  movements: readonly Found[],
  store: RecordStore,
  aws: EmbeddedAws,
  atMs: number,
): Promise<void> {
  const journal = createJournal(store, randomUUID)
  for (const { name } of aws.listExecutions(StateMachine.Withdraw)) {
    const intent = await journal.find(intentIdOf(name), IntentKind.Withdraw)
    if (intent?.kind !== IntentKind.Withdraw || intent.state !== IntentState.Escalated) continue
    const unclaimed: string[] = []
    for (const { id, assetSymbol } of movements)
      if (assetSymbol === intent.frozen.assetSymbol && (await journal.findClaim(IntentKind.Withdraw, id)) === undefined)
        unclaimed.push(id)
    if (unclaimed.length !== 1) throw new Error(`${unclaimed.length} movements may be of ${intent.intentId}`)
    const request = {
      ...{ action: 'resolve', kind: IntentKind.Withdraw, intent: intent.intentId, movement: unclaimed[0] },
      ...{ sameAccount: false, because: 'it is found at the service' },
    }
    const { question } = (await ask(aws, 'sluice-resolve', SETTLER, request, atMs)) as { readonly question: string }
    await ask(aws, 'sluice-resolve', SETTLER, { ...request, agreed: questionHash(question) }, atMs)
  }
}

/** Enters each run of a policy again that once ended in doubt. */
export async function checkAgain(policy: string, aws: EmbeddedAws): Promise<void> {
  const inDoubt = aws.listExecutions(StateMachine.Sweep).filter(({ name, output, input, status }) => {
    if (status !== 'SUCCEEDED' || intentIdOf(name) !== name) return false
    const { outcome } = JSON.parse(output ?? '{}') as { readonly outcome?: string }
    const asked = JSON.parse(input ?? '{}') as { readonly policy?: string }
    return outcome === RunEnd.NeedsAttention && asked.policy === policy
  })
  for (const { name: run, input = '{}' } of inDoubt) {
    const { entry } = await findLastEntry(run, (name) => aws.findExecution(StateMachine.Sweep, name))
    await enterAgain(run, entry, (name) => aws.startExecution({ stateMachine: StateMachine.Sweep, name, input }))
  }
}
