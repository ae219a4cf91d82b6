// Finds executions that started and have no record in the journal, such as one whose key was refused before its first
// record. Only Step Functions knows of them, for 90 days. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { NO_RECORD, NOT_BEGUN } from '../../core/contract/outcome-names.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { recordKey } from '../../core/contract/records.ts'
import { runRequest } from '../../core/contract/runs.ts'
import {
  ConvertState,
  RebalanceState,
  type StateMachine,
  SweepState,
  WithdrawState,
} from '../../core/contract/states.ts'
import { errorName } from '../../core/error-name.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { EnteredExecution, ExecutionAccess, Executions } from '../../place/executions/executions.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { RequestAccess } from '../../place/journal/journal-parts.ts'
import { inputText } from '../words/request-words.ts'
import type { Fact } from './facts.ts'
import { namedBy } from './named-ids.ts'
import { MACHINES_OF, RequestKind } from './record-kind.ts'
import { passesFilter, type RequestRow, type RowFilter } from './request-row.ts'
import { lastReportIn } from './under-way.ts'

export interface Unrecorded {
  readonly kind: RequestKind
  readonly id: string
  /** The relation of the given id to it, in words. */
  readonly as: string
  /** The request in words, from the input of its first execution. */
  readonly asked: string
  /** The name of the policy of a run. */
  readonly policy?: string
  readonly startedAt: string
  /** `NOT_BEGUN`: no execution has entered a step that sends. `NO_RECORD`: one has, so its record was lost. */
  readonly state: typeof NOT_BEGUN | typeof NO_RECORD
  readonly isUnderWay: boolean
  /** Whether it does not continue without a person. */
  readonly needsPerson: boolean
  /** The last report of a step, or its failure. */
  readonly why: string | undefined
  readonly facts: readonly Fact[]
  /** Oldest first. */
  readonly histories: readonly EnteredExecution[]
}

/** States in which money may move. */
const SENDING: ReadonlySet<string> = new Set([
  ...[ConvertState.Order, WithdrawState.Withdraw],
  ...[RebalanceState.FirstLegs, RebalanceState.LastLegs, SweepState.ConvertLegs, SweepState.WithdrawLegs],
])
/** Maximum executions of each machine that a list compares with the journal: of those under way, and of those that failed. */
const MOST_COMPARED = 50

/** By an id that no record has. Undefined where no execution is named after it, or AWS shows none to this caller. */
export async function findUnrecorded(
  id: string,
  kind: RequestKind | undefined,
  { executions }: ExecutionAccess,
): Promise<Unrecorded | undefined> {
  const { intents, runs, kind: own = kind } = namedBy(id)
  const named = [...intents, ...runs.map((run) => ({ ...run, kind: RequestKind.Run }))]
  for (const each of named.filter((one) => own === undefined || one.kind === own))
    for (const machine of MACHINES_OF[each.kind]) {
      const found = await readUnrecorded(each, machine, executions)
      if (found !== undefined) return found
    }
  return undefined
}

/** An execution under way is no failure. */
export function unrecordedExitCode({ needsPerson, isUnderWay }: Unrecorded): ExitCode {
  if (needsPerson) return ExitCode.NeedsPerson
  return isUnderWay ? ExitCode.Done : ExitCode.Failed
}

/** The newest of them that pass the filter, as rows of the list of requests. */
export async function listUnrecorded(
  filter: RowFilter,
  { executions, listExecutions, readRecord }: ExecutionAccess & Pick<Executions, 'listExecutions'> & RequestAccess,
): Promise<readonly RequestRow[]> {
  const { outcome } = filter
  if (outcome !== undefined && outcome !== NOT_BEGUN && outcome !== NO_RECORD) return []
  const kinds = Object.values(RequestKind).filter((kind) => filter.kind === undefined || filter.kind === kind)
  const listed = await mapBounded(
    kinds.flatMap((kind) => MACHINES_OF[kind].map((machine) => ({ kind, machine }))),
    READS_AT_ONCE,
    async ({ kind, machine }) => {
      const lists = await Promise.all(
        (['running', 'failed'] as const).map((status) => listExecutions(machine, status, MOST_COMPARED)),
      )
      const ids = new Set(lists.flatMap(({ names }) => names.map(intentIdOf)))
      return [...ids].map((id) => ({ id, kind, machine }))
    },
  )
  const found = await mapBounded(listed.flat(), READS_AT_ONCE, async ({ id, kind, machine }) => {
    const key = kind === RequestKind.Run ? recordKey.run(id) : recordKey.intent(kind, id)
    if ((await readRecord(key)) !== undefined) return []
    const unrecorded = await readUnrecorded({ id, kind, as: '' }, machine, executions)
    return unrecorded === undefined ? [] : [rowOf(unrecorded)]
  })
  return found.flat().filter((row) => passesFilter(row, filter))
}

function rowOf({ kind, id, startedAt: at, asked, state, policy }: Unrecorded): RequestRow {
  const named = kind === RequestKind.Run ? { ...(policy !== undefined && { policy }) } : { name: asked }
  return { kind, id, at, asked, ...named, state }
}

async function readUnrecorded(
  { id, kind, as }: Pick<Unrecorded, 'id' | 'kind' | 'as'>,
  machine: StateMachine,
  executions: Pick<Executions, 'read'>,
): Promise<Unrecorded | undefined> {
  const histories: EnteredExecution[] = []
  const find = async (name: string) => {
    const execution = await executions.read(machine, name)
    if (execution === undefined || typeof execution === 'string') return undefined
    histories.push(execution)
    return execution
  }
  try {
    await findLastEntry(id, find)
  } catch (error) {
    if (errorName(error) === 'AccessDeniedException') return undefined
    throw error
  }
  const [first, last] = [histories[0], histories.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const isUnderWay = last.status === 'RUNNING'
  const isUnsent = !histories.some(({ steps }) => steps.some(({ state }) => SENDING.has(state)))
  const { why, isKeyRefused } = lastReportIn(last)
  const policy = kind === RequestKind.Run ? runRequest.safeParse(first.input).data?.policy : undefined
  return {
    ...{ kind, id, as, why, isUnderWay, histories },
    ...{ asked: inputText(machine, first.input) ?? 'a request that cannot be read', startedAt: first.startedAt ?? '' },
    ...(typeof policy === 'string' && { policy }),
    state: isUnsent ? NOT_BEGUN : NO_RECORD,
    needsPerson: !isUnsent || (isUnderWay ? isKeyRefused : last.error === ConvertEnd.OwnFault),
    facts: [
      ...histories.flatMap(factsOf),
      isUnsent
        ? { fact: 'open', state: 'READY', isUnderWay }
        : {
            fact: 'escalated',
            why: 'a step that sends was entered, and the journal has no record of it',
            candidates: [],
          },
    ],
  }
}

function factsOf({ name, startedAt, endedAt, status, error, steps }: EnteredExecution, index: number): Fact[] {
  const at = (time = '') => (time === '' ? {} : { at: time })
  const hasStopped = status !== 'RUNNING' && status !== 'SUCCEEDED'
  return [
    ...(index === 0 ? [] : [{ fact: 'entered', ...at(startedAt), execution: name } as const]),
    ...steps.flatMap((step) =>
      step.did === 'failed'
        ? [{ fact: 'fault', ...at(step.at), state: step.state, error: step.error, message: step.message } as const]
        : [],
    ),
    ...(hasStopped
      ? [{ fact: 'stopped', ...at(endedAt), execution: name, status, ...(error !== undefined && { error }) } as const]
      : []),
  ]
}
