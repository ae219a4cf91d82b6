// Provides a log source for tests: executions of one state machine, and their histories.

import type { LogSource } from '../../../../operations/logs/log-source.ts'
import type { ServedEvent } from '../../../../place/executions/execution-history.ts'
import type { ListedExecution } from '../../../../place/executions/executions.ts'

const MACHINE = 'sluice-convert'

export const arnOf = (name: string) => `arn:aws:states:us-east-1:123456789012:execution:${MACHINE}:${name}`
const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'BTC', amount: '0.1' }

/** The events of an execution, one each second from its start on. */
export const BEGUN: ServedEvent = {
  type: 'ExecutionStarted',
  executionStartedEventDetails: { input: JSON.stringify(request) },
}
export const QUOTED: ServedEvent = {
  type: 'TaskStateExited',
  stateExitedEventDetails: { name: 'Quote', output: JSON.stringify({ outcome: 'QUOTED' }) },
}
export const FILLED: ServedEvent = {
  type: 'ExecutionSucceeded',
  executionSucceededEventDetails: { output: JSON.stringify({ outcome: 'FILLED' }) },
}

interface Execution {
  readonly startedMs: number
  readonly events: readonly ServedEvent[]
  readonly redrives?: number
  /** Executions that have reached their last event. */
  readonly starts?: string
}

export interface FakeSource extends LogSource {
  readonly executions: Map<string, Execution>
  /** Names whose history cannot be read: the source breaks. */
  readonly broken: Set<string>
  /** Names of executions that were listed. */
  readonly listed: string[]
}

export function fakeSource(executions: Readonly<Record<string, Execution>> = {}): FakeSource {
  const known = new Map(Object.entries(executions))
  const broken = new Set<string>()
  const listed: string[] = []
  return {
    executions: known,
    broken,
    listed,
    async *walk(stateMachine, { isRunning } = {}) {
      if (stateMachine !== MACHINE) return
      for (const [name, one] of [...known].sort(([, left], [, right]) => right.startedMs - left.startedMs)) {
        const execution = listedOf(name, one)
        if (isRunning === true && execution.endedMs !== undefined) continue
        listed.push(name)
        yield execution
      }
    },
    async findExecution(stateMachine, name) {
      return stateMachine === MACHINE && known.has(name) ? { status: 'RUNNING', executionArn: arnOf(name) } : undefined
    },
    async *events(cursor) {
      const name = cursor.executionArn.split(':').at(-1) ?? ''
      const { events, startedMs, starts } = known.get(name) ?? { events: [], startedMs: 0 }
      for (const [index, event] of events.entries()) {
        if (index < cursor.lastId) continue
        if (broken.has(name) && index > 0) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
        cursor.lastId = index + 1
        cursor.isOver = isEnd(event)
        const isLast = index === events.length - 1
        const started = isLast && starts !== undefined ? [arnOf(starts)] : []
        yield { atMs: startedMs + index * 1_000, event, started }
      }
    },
    account: async () => '123456789012',
  }
}

const isEnd = ({ type }: ServedEvent) => /^Execution(Succeeded|Failed)$/.test(type)

function listedOf(name: string, { events, redrives = 0, startedMs }: Execution): ListedExecution {
  const last = events.at(-1)
  const endedMs = last !== undefined && isEnd(last) ? startedMs + (events.length - 1) * 1_000 : undefined
  return { executionArn: arnOf(name), name, startedMs, endedMs, redrives }
}
