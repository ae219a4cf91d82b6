// Lists executions that failed or are under way, by the API of Step Functions, on AWS or at a desk. Its two requests
// have the names and shapes of the SDK's. So a command that only looks at a desk of this machine sends them without the
// SDK, whose loading takes longer than all requests of the command.
import type { ListExecutionsInput, ListStateMachinesInput } from '@aws-sdk/client-sfn'
import type { StateMachine } from '../../core/contract/states.ts'
import { type AwsAddress, nameAt } from '../aws/aws-address.ts'

/** Maximum pages of state machines in an account and region, with 1,000 on a page. */
const MOST_PAGES = 20
const PAGE = 1_000
/** Maximum pages of a list of executions. Step Functions may put fewer on a page than were requested. */
const MOST_LIST_PAGES = 20

interface Page {
  readonly nextToken?: string | undefined
}

export interface ExecutionLists {
  listStateMachines(input: ListStateMachinesInput): Promise<
    Page & {
      readonly stateMachines?:
        | readonly { readonly name?: string | undefined; readonly stateMachineArn?: string | undefined }[]
        | undefined
    }
  >
  listExecutions(
    input: ListExecutionsInput,
  ): Promise<Page & { readonly executions?: readonly { readonly name?: string | undefined }[] | undefined }>
}

export interface ListedExecutions {
  readonly names: readonly string[]
  /** Whether there may be older ones. */
  readonly isCutOff: boolean
}

/** `failed`: failed, stopped or timed out, which may leave a movement unfollowed. */
export type ListedKind = 'failed' | 'running'

export interface ExecutionNames {
  /** Undefined where the state machine does not exist. */
  arnOf(stateMachine: StateMachine): Promise<string | undefined>
  /**
   * Executions of the last 90 days. The newest of each status come first, at most `limit` of each. Step Functions lists an
   * execution some moments after its start or end.
   */
  listExecutions(stateMachine: StateMachine, kind: ListedKind, limit: number): Promise<ListedExecutions>
}

export function executionNames(lists: ExecutionLists, address: AwsAddress): ExecutionNames {
  let arns: Promise<ReadonlyMap<string, string>> | undefined
  const arnOf = async (stateMachine: StateMachine) => {
    arns ??= machineArns(lists).catch((error: unknown) => {
      // A passing failure must not be cached.
      arns = undefined
      throw error
    })
    return (await arns).get(nameAt(address, stateMachine))
  }
  return {
    arnOf,
    async listExecutions(stateMachine, kind, limit) {
      const stateMachineArn = await arnOf(stateMachine)
      if (stateMachineArn === undefined) return { names: [], isCutOff: false }
      const listed = await Promise.all(STATUSES[kind].map((status) => listedOf(stateMachineArn, status, limit, lists)))
      return { names: listed.flatMap(({ names }) => names), isCutOff: listed.some(({ isCutOff }) => isCutOff) }
    },
  }
}

type Status = 'FAILED' | 'ABORTED' | 'TIMED_OUT' | 'RUNNING'

/** A list of Step Functions has one status. */
const STATUSES: Readonly<Record<ListedKind, readonly Status[]>> = {
  failed: ['FAILED', 'ABORTED', 'TIMED_OUT'],
  running: ['RUNNING'],
}

export function isListedAs(kind: ListedKind, status: string): boolean {
  return STATUSES[kind].some((listed) => listed === status)
}

async function listedOf(
  stateMachineArn: string,
  statusFilter: Status,
  limit: number,
  lists: ExecutionLists,
): Promise<ListedExecutions> {
  const names: string[] = []
  let nextToken: string | undefined
  for (let pages = 0; pages < MOST_LIST_PAGES && names.length < limit; pages += 1) {
    const maxResults = Math.min(PAGE, limit - names.length)
    const asked = { stateMachineArn, statusFilter, maxResults, ...(nextToken && { nextToken }) }
    const page: Awaited<ReturnType<ExecutionLists['listExecutions']>> = await lists.listExecutions(asked)
    names.push(...(page.executions ?? []).flatMap(({ name }) => name ?? []))
    nextToken = page.nextToken
    if (nextToken === undefined) return { names, isCutOff: false }
  }
  return { names, isCutOff: true }
}

async function machineArns(lists: ExecutionLists): Promise<ReadonlyMap<string, string>> {
  const arns = new Map<string, string>()
  let nextToken: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: Awaited<ReturnType<ExecutionLists['listStateMachines']>> = await lists.listStateMachines({
      maxResults: PAGE,
      ...(nextToken && { nextToken }),
    })
    for (const { name, stateMachineArn } of page.stateMachines ?? [])
      if (name && stateMachineArn) arns.set(name, stateMachineArn)
    nextToken = page.nextToken
    if (nextToken === undefined) break
  }
  return arns
}
