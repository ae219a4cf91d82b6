// The executions of the state machines with what was asked of them and what happened in them, and where they are those in
// the files of a state directory. Those of AWS, or of a desk of another process, are in aws-source.ts: it loads an SDK.

import { findKnownExecution, keptExecutions, readKeptExecution } from '@sluice/embedded-aws'
import type { StateMachine } from '../../../core/contract/states.ts'
import { type ExecutionHistory, historyOf } from './execution-history.ts'
import type { ListedExecution } from './listed-executions.ts'

/** An execution with its input. */
export interface EnteredExecution extends ExecutionHistory {
  /** Parsed; `undefined` where it is no JSON. */
  readonly input: unknown
}

export interface ExecutionSource {
  /** Newest first. `onDamaged`: told of a file that cannot be read. */
  walk(stateMachine: StateMachine, onDamaged: (message: string) => void): AsyncGenerator<ListedExecution, void>
  /** `undefined` where there is none, or where it is not kept any more. A text says why its file cannot be read. */
  read(stateMachine: StateMachine, name: string): Promise<EnteredExecution | string | undefined>
}

export function keptSource(awsDir: string): ExecutionSource {
  return {
    async *walk(stateMachine, onDamaged) {
      for (const { name, startDate } of keptExecutions(awsDir, stateMachine, onDamaged)) {
        yield { name, startedAt: startDate }
      }
    },
    async read(stateMachine, name) {
      const known = findKnownExecution(awsDir, stateMachine, name)
      if (known?.status === 'UNREADABLE') return known.error ?? 'its file is damaged'
      const kept = readKeptExecution(awsDir, stateMachine, name)
      return kept && { ...historyOf(kept), input: parsed(kept.input) }
    },
  }
}

/** JSON, or `undefined` where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
