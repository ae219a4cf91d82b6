// Reads the log of executions from the files of a state directory that no process serves. It needs no keys and no lock,
// and continues nothing.

import { DamagedLog, keptExecutions, readKeptExecution } from '@sluice/embedded-aws'
import { StateMachine } from '../../core/contract/states.ts'
import { ENDS, startedBy } from '../runs/follow-events.ts'
import type { LogSource } from './log-source.ts'

/** `onDamaged` gets a message for each file that cannot be read. */
export function keptSource(awsDir: string, onDamaged: (message: string) => void): LogSource {
  const read = (stateMachine: string, name: string) => {
    try {
      return readKeptExecution(awsDir, stateMachine, name)
    } catch (error) {
      if (!(error instanceof DamagedLog)) throw error
      onDamaged(error.message)
      return undefined
    }
  }
  return {
    async *list(stateMachine, { isRunning }) {
      for (const { executionArn, redriveCount, startDate, stopDate } of keptExecutions(
        awsDir,
        stateMachine,
        onDamaged,
      )) {
        if (isRunning === true && stopDate !== undefined) continue
        yield {
          executionArn,
          startedMs: startDate.getTime(),
          endedMs: stopDate?.getTime(),
          redrives: redriveCount,
        }
      }
    },
    async find(stateMachine, name) {
      return read(stateMachine, name)?.executionArn
    },
    async *events(cursor) {
      const [stateMachine = '', name = ''] = cursor.executionArn.split(':').slice(-2)
      const kept = read(stateMachine, name)
      if (kept === undefined) cursor.isOver = true
      for (const event of kept?.events ?? []) {
        if (event.id <= cursor.lastId) continue
        cursor.lastId = event.id
        if (ENDS.test(event.type)) cursor.isOver = true
        yield { atMs: event.timestamp.getTime(), event, started: startedBy(event) }
      }
    },
    async account() {
      for (const stateMachine of Object.values(StateMachine)) {
        for (const { executionArn } of keptExecutions(awsDir, stateMachine, onDamaged))
          return executionArn.split(':')[4]
      }
      return undefined
    },
  }
}
