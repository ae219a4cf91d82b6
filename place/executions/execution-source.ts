// Reads the executions of the state machines, with inputs and steps, from the files of a state directory. Those of AWS,
// or of a desk of another process, are read in aws-source.ts, because it loads an SDK.

import { findKnownExecution, keptExecutions, readKeptExecution } from '@sluice/embedded-aws'
import type { StateMachine } from '../../core/contract/states.ts'
import { type ExecutionHistory, historyOf } from './execution-history.ts'
import type { ListedExecution } from './listed-executions.ts'

export interface EnteredExecution extends ExecutionHistory {
  /** Parsed; undefined where it is no JSON. */
  readonly input: unknown
}

export interface ExecutionSource {
  /** Newest first. `onDamaged` gets a message for each unreadable file. */
  walk(stateMachine: StateMachine, onDamaged: (message: string) => void): AsyncGenerator<ListedExecution, void>
  /** Undefined where it does not exist, or is no longer kept. A text says why its file cannot be read. */
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

/** The parsed JSON; undefined where the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
