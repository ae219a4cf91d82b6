// Gathers what is known after the days: the sandbox's books, the journal, the executions, and the notes of the days. It
// judges nothing.
import { randomUUID } from 'node:crypto'
import type { EmbeddedAws, ExecutionDescription } from '@sluice/embedded-aws'
import { intentIdOf } from '../../../core/contract/fields.ts'
import { IntentKind, recordKey } from '../../../core/contract/records.ts'
import type { RunReport } from '../../../core/contract/runs.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { reportOfRun, runOfRecord } from '../../../core/runs/record/run-record.ts'
import { INTENT_KIND, type JudgedIntent, type OracleMovement } from '../judge.ts'
import type { LedgerEntry } from './books.ts'
import type { Notes } from './hands.ts'
import type { Contacts } from './treasury.ts'
import type { FileInForce } from './treasury-file.ts'
import type { VirtualTime } from './virtual-time.ts'
import { withStore } from './with-store.ts'

export interface Movement extends OracleMovement {
  readonly at: string
  readonly status: string
  readonly market?: string
  readonly filledBaseAmount?: string
  readonly filledQuoteAmount?: string
  readonly assetSymbol?: string
}

export interface Oracle {
  readonly movements: readonly Movement[]
  readonly ledger: readonly LedgerEntry[]
  readonly invariants: { readonly violations: readonly unknown[] }
  /** The last 20,000 requests. */
  readonly requests: readonly { readonly faults?: readonly string[] }[]
  readonly requestsTotal: number
}

export type MovedIntent = JudgedIntent &
  Intent & { readonly params: { readonly policy?: string; readonly run?: string } }

/** One execution of Rebalance or Sweep. */
export interface RunEvidence {
  readonly name: string
  readonly status: string
  readonly outcome: string | undefined
  /** The report in the journal; absent if the run ended before it had a record. */
  readonly report: RunReport | undefined
  readonly policy: string | undefined
  readonly trigger: { readonly by: string; readonly id?: string } | undefined
  /** Service time. */
  readonly startedAt: string
  /** When its planning states were entered and left, by the state machine's history. */
  readonly plannings: readonly Span[]
}

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The owner of a movement. This is the only fact taken from the journal. */
export interface Whose {
  readonly policy: string | undefined
  readonly run: string | undefined
  /** When the movement's own execution began. */
  readonly beganMs: number
}

export interface Gathered {
  readonly oracle: Oracle
  readonly runs: readonly RunEvidence[]
  readonly intents: readonly MovedIntent[]
  /** Intent ids by movement id. */
  readonly claims: ReadonlyMap<string, string | undefined>
  readonly whose: ReadonlyMap<string, Whose>
  /** Bodies in dead-letter queues. */
  readonly deadLetters: readonly string[]
}

export interface Evidence extends Gathered, Notes {
  /** The sandbox's seed, which determines its prices. */
  readonly seed: string
  readonly contacts: Contacts
  readonly files: readonly FileInForce[]
  readonly refusals: readonly string[]
  readonly auditFindings: readonly string[]
  readonly duplicates: number
}

export async function gather(aws: EmbeddedAws, time: VirtualTime, oracle: Oracle): Promise<Gathered> {
  return withStore(aws, time, async (store) => {
    const journal = createJournal(store, randomUUID)
    const claims = new Map<string, string | undefined>()
    const whose = new Map<string, Whose>()
    const intents = new Map<string, MovedIntent>()
    for (const { kind, id } of oracle.movements) {
      const claim = await journal.findClaim(INTENT_KIND[kind], id)
      claims.set(id, claim)
      const intent =
        claim === undefined ? undefined : ((await journal.find(claim, INTENT_KIND[kind])) as MovedIntent | undefined)
      if (intent === undefined) continue
      // An intent outside any run.
      if (intent.params.run === undefined) intents.set(intent.intentId, intent)
      const machine = intent.kind === IntentKind.Convert ? StateMachine.Convert : StateMachine.Withdraw
      const began = aws.findExecution(machine, intent.intentId)?.startDate ?? new Date(intent.createdAt)
      whose.set(id, { policy: intent.params.policy, run: intent.params.run, beganMs: began.getTime() })
    }
    const runs: RunEvidence[] = []
    for (const execution of executionsOf(aws)) {
      const { input, name, output, startDate, status } = execution
      const result = JSON.parse(output ?? '{}') as { outcome?: string; runId?: string }
      const { policy, trigger } = JSON.parse(input ?? '{}') as Pick<RunEvidence, 'policy' | 'trigger'>
      const record = await store.read(recordKey.run(result.runId ?? intentIdOf(name)))
      const report = record && reportOfRun(runOfRecord(record))
      const startedAt = startDate.toISOString()
      const plannings = planningsOf(execution, aws)
      runs.push({ name, status, outcome: result.outcome, policy, trigger, report, startedAt, plannings })
      for (const { intentId, leg } of report?.legs ?? []) {
        const intent = intents.has(intentId)
          ? undefined
          : ((await journal.find(intentId, leg.kind)) as MovedIntent | undefined)
        if (intent !== undefined) intents.set(intentId, intent)
      }
    }
    const deadLetters = aws
      .resources()
      .queues.flatMap(({ name }) => aws.queueMessages(name).map((message) => `${name}: ${JSON.stringify(message)}`))
    return { oracle, runs, intents: [...intents.values()], claims, whose, deadLetters }
  })
}

function executionsOf(aws: EmbeddedAws): ExecutionDescription[] {
  return [StateMachine.Rebalance, StateMachine.Sweep].flatMap((machine) =>
    aws.listExecutions(machine).map(({ executionArn }) => aws.describeExecution(executionArn)),
  )
}

function planningsOf({ executionArn }: ExecutionDescription, aws: EmbeddedAws): Span[] {
  const spans: Span[] = []
  let fromMs: number | undefined
  for (const event of aws.history(executionArn)) {
    if (event.stateEnteredEventDetails?.name.startsWith('Plan') && event.type === 'TaskStateEntered') {
      fromMs = event.timestamp.getTime()
    }
    if (event.stateExitedEventDetails?.name.startsWith('Plan') && event.type === 'TaskStateExited') {
      spans.push({ fromMs: fromMs ?? event.timestamp.getTime(), toMs: event.timestamp.getTime() })
    }
  }
  return spans
}
