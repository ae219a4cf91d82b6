// Finds what `sluice cases again` enters: the intent or the run of an id, or every intent in doubt. Reads only.

import { randomUUID } from 'node:crypto'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { StateMachine } from '../../core/contract/states.ts'
import type { Defect } from '../../core/errors.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { mayContinue, requestOf, runOf } from '../../core/journal/entering.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { type ListBeginning, listBeginningOf } from '../../core/journal/intent-index.ts'
import { createJournal, type Journal } from '../../core/journal/journal.ts'
import { type OpenIntents, readNamed, readOpenIntents } from '../../core/journal/listed-records.ts'
import { printable } from '../../core/printable.ts'
import { endOfWait } from '../../core/runs/approval/end-of-wait.ts'
import { isUnbegun, RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import type { Runs } from '../../core/runs/record/runs.ts'
import type { AwsAddress } from '../../place/aws/aws-address.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { verbOf } from '../../place/named-policy.ts'
import type { Step } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'
import { type NamedIntent, namedBy } from '../movements/named-ids.ts'
import { RequestKind } from '../movements/record-kind.ts'
import { conversion, withdrawal } from '../runs/movement-operations.ts'
import type { Operation } from '../runs/operation.ts'
import { policyOperations } from '../runs/policy-run.ts'

export interface Waiting {
  readonly id: string
  readonly operation: Operation
  /** The state in its record. */
  readonly was: string
  /** The original request; undefined where the record does not hold it exactly. */
  readonly request: object | undefined
  /** The run that it is a leg of. */
  readonly run: string | undefined
}

interface Records {
  readonly list: ListBeginning
  readonly journal: Pick<Journal, 'find'>
  readonly runs: Pick<Runs, 'find'>
}

type FindLast = (
  stateMachine: StateMachine,
  intentId: string,
) => Promise<{ readonly error?: string | undefined } | undefined>

/** `id`: as the journal has it, or as the person gave it. `kind`: needed where several have the id. */
export interface Named {
  readonly id: string
  readonly kind: RequestKind | undefined
  /** Epoch ms: the current time. */
  readonly nowMs: number
}

/**
 * @throws OperationError (exit 1) where the id is unknown or ambiguous, or the record has ended or waits for a person
 */
export function findWaiting({ id, kind, nowMs }: Named, address: AwsAddress, findLast: FindLast): Promise<Waiting> {
  return withRecords(address, async ({ journal, runs }) => {
    const named = namedBy(id)
    const wanted = named.intents.filter((candidate) => kind === undefined || candidate.kind === kind)
    const intents = await mapBounded(wanted, READS_AT_ONCE, (intent) => journal.find(intent.id, intent.kind))
    const wantedRuns = kind === undefined || kind === RequestKind.Run ? named.runs : []
    const found = await mapBounded(wantedRuns, READS_AT_ONCE, (run) => runs.find(run.id))
    const known = [...intents, ...found].filter((record) => record !== undefined)
    // An exact id of a record takes precedence over other meanings of the same text.
    const own = known.filter((record) => idOf(record) === id)
    const [record, ...others] = own.length > 0 ? own : known
    if (record === undefined) {
      const unopened = await findUnopened(wanted, findLast)
      if (unopened === undefined) throw notThere(id)
      return unopened
    }
    if (others.length > 0) throw several(id, [record, ...others])
    if ('intentId' in record) {
      if (mayContinue(record)) return waitingOfIntent(record)
      throw settled(record)
    }
    const isOpen = record.outcome === RUNNING || record.outcome === RunEnd.NeedsAttention || isUnbegun(record)
    if (isOpen || endOfWait(record, nowMs) !== undefined) return waitingOfRun(record)
    if (record.outcome === RunEnd.AwaitingApproval)
      throw refused(`run ${record.runId} waits for people`, { do: 'decide', id: record.runId })
    const next = { do: 'show-run', id: record.runId } as const
    throw refused(`run ${record.runId} is ${record.outcome}: there is nothing to enter again`, next)
  })
}

/** A fault of ours came before its first record. The request is the input of its execution. */
async function findUnopened(named: readonly NamedIntent[], findLast: FindLast): Promise<Waiting | undefined> {
  for (const { id, kind } of named) {
    const operation = operationOf(kind)
    const last = await findLast(operation.stateMachine, id)
    if (last?.error !== ConvertEnd.OwnFault) continue
    return { id, operation, was: 'not begun', request: undefined, run: undefined }
  }
  return undefined
}

function idOf(record: Intent | RunRecord): string {
  return 'intentId' in record ? record.intentId : record.runId
}

export interface Armed {
  readonly armed: readonly Waiting[]
  /** Number of armed intents that are left for the next command. */
  readonly left: number
  /** Whether more intents are open than were examined. */
  readonly isCutOff: boolean
  /** One message for each record that cannot be read. */
  readonly unreadable: readonly string[]
}

/** At most `most` armed intents, sorted by id. */
export function findArmed(most: number, address: AwsAddress): Promise<Armed> {
  return withRecords(address, async (records) => {
    const unreadable: string[] = []
    const onMisfit = ({ message }: Defect) => unreadable.push(message)
    const { armed, isCutOff } = await readArmed((after) => readOpenIntents(records, { after, onMisfit }))
    return {
      armed: armed.slice(0, most).map(waitingOfIntent),
      left: Math.max(0, armed.length - most),
      isCutOff,
      unreadable,
    }
  })
}

/** Maximum parts that are read. A part holds some thousands of intents, and costs one read for each. */
const MOST_PARTS = 20

/** Reads the armed intents among all open ones, sorted by id. Most open intents may be ready and never sent. */
export async function readArmed(
  readPart: (after: string | undefined) => Promise<OpenIntents>,
): Promise<{ readonly armed: readonly Intent[]; readonly isCutOff: boolean }> {
  const armed: Intent[] = []
  let after: string | undefined
  for (let part = 0; part < MOST_PARTS; part += 1) {
    const { intents, lookedAtUpTo } = await readPart(after)
    armed.push(...intents.filter(({ state }) => state === IntentState.Armed))
    after = lookedAtUpTo
    if (after === undefined) break
  }
  return { armed: armed.sort((one, other) => (one.intentId < other.intentId ? -1 : 1)), isCutOff: after !== undefined }
}

/** Finds the given runs that ended because a leg was in doubt. */
export function findInNeed(runIds: readonly string[], address: AwsAddress): Promise<readonly Waiting[]> {
  return withRecords(address, async ({ runs }) => {
    const found = await readNamed(runIds, runs.find)
    return found.filter(({ outcome }) => outcome === RunEnd.NeedsAttention).map(waitingOfRun)
  })
}

async function withRecords<Found>(address: AwsAddress, work: (records: Records) => Promise<Found>): Promise<Found> {
  const table = journalTable(address)
  try {
    const store = createDynamoStore(table.client, table.tableName)
    // Its runs come with people's decisions, which say whether a run that waited for them may continue.
    const [journal, { runs }] = [createJournal(store, randomUUID), createRunJournal(table)]
    return await work({ list: listBeginningOf(table), journal, runs })
  } finally {
    table.client.destroy()
  }
}

function operationOf(kind: IntentKind): Operation {
  return kind === IntentKind.Convert ? conversion : withdrawal
}

function waitingOfIntent(intent: Intent): Waiting {
  return {
    id: intent.intentId,
    operation: operationOf(intent.kind),
    was: intent.state,
    request: requestOf(intent),
    run: runOf(intent),
  }
}

function waitingOfRun({ runId, asPlanned, outcome, request }: RunRecord): Waiting {
  return { id: runId, operation: policyOperations[verbOf(asPlanned)], was: outcome, request, run: undefined }
}

function settled({ intentId: id, state, why }: Intent): OperationError {
  if (state === IntentState.Escalated) {
    const next = { do: 'resolve', id } as const
    return refused(`intent ${printable(id)} waits for a person${why === undefined ? '' : `: ${why}`}`, next)
  }
  const next = { do: 'show-movement', id, why: 'how it ended' } as const
  return refused(`intent ${printable(id)} is ${state}: it is certain that nothing moved for it`, next)
}

function several(id: string, records: readonly (Intent | RunRecord)[]): OperationError {
  const kinds = records.map((record) => ('intentId' in record ? record.kind : RequestKind.Run))
  const named = records.map((record, nth) => `${kinds[nth]} ${idOf(record)}`)
  const next = { do: 'enter-again', id, kind: kinds[0], why: 'or another of these' } as const
  return refused(`${printable(id)} is the id of several: ${named.join(', ')}`, next)
}

function notThere(id: string): OperationError {
  const next = { do: 'list-movements', why: 'what was asked for, with its ids' } as const
  return refused(`the journal has no intent and no run ${printable(id)}`, next)
}

function refused(message: string, next: Step): OperationError {
  return failedWith('refused', `${message}; nothing was started`, next)
}
