// Reads, follows and starts executions by the API of Step Functions, on AWS or at a desk.
import type { HistoryEvent, ListExecutionsInput } from '@aws-sdk/client-sfn'
import { findJson } from '../../core/contract/find-json.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { errorName } from '../../core/error-name.ts'
import { type AwsAddress, nameAt } from '../aws/aws-address.ts'
import { historyOf, type ServedEvent } from './execution-history.ts'
import {
  type DescribedExecution,
  ENDS,
  type Executions,
  type HistoryCursor,
  type ListedNames,
  STATUSES,
  startedBy,
} from './executions.ts'
import { openStatesClient, type StatesClient } from './states-client.ts'

/** Maximum pages of state machines in an account and region. */
const MOST_MACHINE_PAGES = 20
/** Maximum pages of a list of executions. Step Functions may put fewer on a page than were requested. */
const MOST_LIST_PAGES = 20
const PAGE = 1_000
/**
 * Maximum pages of one execution's history. It has at most 25,000 events, and a page may have fewer than were
 * requested.
 */
const MOST_HISTORY_PAGES = 250

export interface ApiExecutions extends Required<Executions> {
  /** Undefined where the state machine does not exist. */
  arnOf(stateMachine: StateMachine): Promise<string | undefined>
  findExecution(stateMachine: StateMachine, name: string): Promise<DescribedExecution | undefined>
  /** @throws the error `ExecutionDoesNotExist` of the API */
  describe(executionArn: string): Promise<DescribedExecution>
  destroy(): void
}

export function openApiExecutions(address: AwsAddress): ApiExecutions {
  const client = openStatesClient(address)
  let arns: Promise<ReadonlyMap<string, string>> | undefined
  const arnOf = async (stateMachine: StateMachine) => {
    arns ??= machineArns(client).catch((error: unknown) => {
      // A passing failure must not be cached.
      arns = undefined
      throw error
    })
    return (await arns).get(nameAt(address, stateMachine))
  }
  const executionArnOf = async (stateMachine: StateMachine, name: string) => {
    const machineArn = await arnOf(stateMachine)
    return machineArn && `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
  }
  const describe = async (executionArn: string, isPatient = false): Promise<DescribedExecution & Dates> => {
    const answer = await client.send('DescribeExecution', { executionArn }, isPatient)
    const { status = 'UNKNOWN', name = executionArn.split(':').at(-1) ?? '', input = '{}' } = answer
    const { output, error, cause, startDate, stopDate } = answer
    return { executionArn, name, status, input, output, error, cause, startDate, stopDate }
  }
  const readWhole = async (stateMachine: StateMachine, name: string, isPatient: boolean) => {
    const executionArn = await executionArnOf(stateMachine, name)
    if (executionArn === undefined) return undefined
    return unlessMissing(async () => {
      const { input, ...described } = await describe(executionArn, isPatient)
      const { events, isCutOff } = await eventsOf(executionArn, client, isPatient)
      return { input, history: { ...historyOf({ ...described, name, events }), ...(isCutOff && { isCutOff }) } }
    })
  }
  return {
    arnOf,
    describe: async (executionArn) => withoutDates(await describe(executionArn)),
    async findExecution(stateMachine, name) {
      const executionArn = await executionArnOf(stateMachine, name)
      if (executionArn === undefined) return undefined
      return unlessMissing(async () => ({ ...withoutDates(await describe(executionArn)), name }))
    },
    findHistory: async (stateMachine, name) => (await readWhole(stateMachine, name, false))?.history,
    async read(stateMachine, name) {
      const { history, input } = (await readWhole(stateMachine, name, true)) ?? {}
      if (history?.isCutOff === true) return `the history of ${name} has more pages than are read`
      return history && { ...history, input: findJson(input ?? '') }
    },
    async listExecutions(stateMachine, kind, limit) {
      const stateMachineArn = await arnOf(stateMachine)
      if (stateMachineArn === undefined) return { names: [], isCutOff: false }
      const listed = await Promise.all(
        STATUSES[kind].map((statusFilter) => namesOf({ stateMachineArn, statusFilter }, limit, client)),
      )
      return { names: listed.flatMap(({ names }) => names), isCutOff: listed.some(({ isCutOff }) => isCutOff) }
    },
    async *walk(stateMachine, { pageSize, isRunning } = {}) {
      const stateMachineArn = await arnOf(stateMachine)
      if (stateMachineArn === undefined) return
      const asked = { stateMachineArn, ...(isRunning === true && { statusFilter: 'RUNNING' as const }) }
      let nextToken: string | undefined
      do {
        const request = { ...asked, maxResults: pageSize ?? PAGE, ...(nextToken !== undefined && { nextToken }) }
        // A caller without a size of its pages reads all of them.
        const page = await client.send('ListExecutions', request, pageSize === undefined)
        for (const { executionArn = '', name = '', redriveCount = 0, startDate, stopDate } of page.executions ?? []) {
          const times = { startedMs: startDate?.getTime() ?? 0, endedMs: stopDate?.getTime() }
          yield { executionArn, name, ...times, redrives: redriveCount }
        }
        nextToken = page.nextToken
      } while (nextToken)
    },
    async *events(cursor) {
      try {
        for await (const event of newEvents(cursor, client))
          yield { atMs: event.timestamp?.getTime() ?? 0, event: watched(event), started: startedBy(event) }
      } catch (error) {
        if (!isMissing(error)) throw error
        cursor.isOver = true
      }
    },
    account: async () => (await arnOf(StateMachine.Convert))?.split(':')[4],
    async findDefinition(stateMachine) {
      const stateMachineArn = await arnOf(stateMachine)
      return stateMachineArn && (await client.send('DescribeStateMachine', { stateMachineArn })).definition
    },
    async startExecution(stateMachine, name, input) {
      const stateMachineArn = await arnOf(stateMachine)
      if (stateMachineArn === undefined) return 'no machine'
      try {
        const { executionArn = name } = await client.send('StartExecution', { stateMachineArn, name, input })
        return { executionArn }
      } catch (failure) {
        if (errorName(failure) === 'ExecutionAlreadyExists') return 'taken'
        throw failure
      }
    },
    destroy: () => client.destroy(),
  }
}

interface Dates {
  readonly startDate: Date | undefined
  readonly stopDate: Date | undefined
}

function withoutDates({ startDate: _start, stopDate: _stop, ...described }: DescribedExecution & Dates) {
  return described
}

async function unlessMissing<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return errorName(error) === 'ExecutionDoesNotExist'
}

async function machineArns(client: StatesClient): Promise<ReadonlyMap<string, string>> {
  const arns = new Map<string, string>()
  let nextToken: string | undefined
  for (let pages = 0; pages < MOST_MACHINE_PAGES; pages += 1) {
    const page = await client.send('ListStateMachines', { maxResults: PAGE, ...(nextToken && { nextToken }) })
    for (const { name, stateMachineArn } of page.stateMachines ?? [])
      if (name && stateMachineArn) arns.set(name, stateMachineArn)
    nextToken = page.nextToken
    if (!nextToken) break
  }
  return arns
}

async function namesOf(
  asked: Pick<ListExecutionsInput, 'stateMachineArn' | 'statusFilter'>,
  limit: number,
  client: StatesClient,
): Promise<ListedNames> {
  const names: string[] = []
  let nextToken: string | undefined
  for (let pages = 0; pages < MOST_LIST_PAGES && names.length < limit; pages += 1) {
    const maxResults = Math.min(PAGE, limit - names.length)
    const page = await client.send('ListExecutions', { ...asked, maxResults, ...(nextToken && { nextToken }) })
    names.push(...(page.executions ?? []).flatMap(({ name }) => name ?? []))
    nextToken = page.nextToken
    if (!nextToken) return { names, isCutOff: false }
  }
  return { names, isCutOff: true }
}

async function eventsOf(executionArn: string, client: StatesClient, isPatient: boolean) {
  const events: HistoryEvent[] = []
  let nextToken: string | undefined
  for (let pages = 0; pages < MOST_HISTORY_PAGES; pages += 1) {
    const request = { executionArn, maxResults: PAGE, ...(nextToken !== undefined && { nextToken }) }
    const page = await client.send('GetExecutionHistory', request, isPatient)
    events.push(...(page.events ?? []))
    nextToken = page.nextToken
    if (!nextToken) return { events, isCutOff: false }
  }
  return { events, isCutOff: true }
}

/** The events beyond the cursor, which advances. */
async function* newEvents(cursor: HistoryCursor, client: StatesClient): AsyncGenerator<HistoryEvent, void> {
  for (;;) {
    const { executionArn, token } = cursor
    const request = { executionArn, maxResults: PAGE, ...(token && { nextToken: token }) }
    const page = await client.send('GetExecutionHistory', request).catch((error: unknown) => {
      // A token lives for a day. After that the history is read from its beginning, and events already read are
      // skipped.
      if (errorName(error) !== 'InvalidToken' || token === undefined) throw error
      cursor.token = undefined
      return undefined
    })
    if (page === undefined) continue
    for (const event of page.events ?? []) {
      const id = event.id ?? 0
      if (id <= cursor.lastId) continue
      cursor.lastId = id
      if (ENDS.test(event.type ?? '')) cursor.isOver = true
      yield event
    }
    // The last page grows, so it is requested again with the token that led to it.
    if (!page.nextToken) return
    cursor.token = page.nextToken
  }
}

/** The SDK has the same fields, with `undefined` for what is absent. */
function watched(event: HistoryEvent): ServedEvent {
  return JSON.parse(JSON.stringify(event)) as ServedEvent
}
