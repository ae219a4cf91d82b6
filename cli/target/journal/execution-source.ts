// The executions of the state machines with what was asked of them and what happened in them: those of AWS, of a desk of
// another process, or in the files of a state directory. Reads only. AWS keeps them for 90 days.
import { SFNClient } from '@aws-sdk/client-sfn'
import type { StateMachine } from '../../../core/contract/states.ts'
import { findKnownExecution, keptExecutions, readKeptExecution } from '../../../embedded-aws/embedded-journal.ts'
import { type AwsAddress, clientConfigAt } from '../aws-address.ts'
import { awsExecutions, PATIENT } from './aws-executions.ts'
import { type ExecutionHistory, historyOf } from './execution-history.ts'
import { type ListedExecution, walkExecutions } from './listed-executions.ts'

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

/** The caller destroys it. */
export function awsSource(address: AwsAddress): ExecutionSource & { destroy(): void } {
  const client = new SFNClient({ ...clientConfigAt(address), ...PATIENT })
  const executions = awsExecutions(address, { isPatient: true })
  return {
    async *walk(stateMachine) {
      yield* walkExecutions(client, await executions.arnOf(stateMachine))
    },
    async read(stateMachine, name) {
      const found = await executions.read(stateMachine, name)
      if (found?.isCutOff === true) return `the history of ${name} has more pages than are read`
      return found && { ...found, input: parsed(found.input) }
    },
    destroy() {
      client.destroy()
      executions.destroy()
    },
  }
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
