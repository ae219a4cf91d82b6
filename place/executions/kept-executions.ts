// Reads executions from the files of a state directory that no process serves. It needs no keys and no lock, and
// continues nothing.

import {
  DamagedLog,
  findKnownExecution,
  findKnownHistory,
  keptExecutions,
  readKeptExecution,
} from '@sluice/embedded-aws'
import { findJson } from '../../core/contract/find-json.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { historyOf } from './execution-history.ts'
import { ENDS, type Executions, type ListedKind, STATUSES, startedBy } from './executions.ts'

/** Maximum executions that are read to find those of a kind. */
const MOST_READ = 20_000

/** `onDamaged`: gets a message for each file that cannot be read, also where a caller's options have no listener. */
export function openKeptExecutions(awsDir: string, onDamaged: (message: string) => void = () => undefined): Executions {
  const readKept = (stateMachine: string, name: string) => {
    try {
      return readKeptExecution(awsDir, stateMachine, name)
    } catch (error) {
      if (!(error instanceof DamagedLog)) throw error
      onDamaged(error.message)
      return undefined
    }
  }
  return {
    async findExecution(stateMachine, name) {
      const found = findKnownExecution(awsDir, stateMachine, name)
      if (found?.status === 'UNREADABLE') onDamaged(found.error ?? 'its file is damaged')
      return found
    },
    async findHistory(stateMachine, name) {
      const known = findKnownHistory(awsDir, stateMachine, name)
      return known && historyOf({ ...known, name })
    },
    async listExecutions(stateMachine, kind, limit) {
      const names: string[] = []
      let read = 0
      // A damaged file is reported where its own intent is read.
      for (const { name, status } of keptExecutions(awsDir, stateMachine, () => undefined)) {
        if (names.length === limit || read === MOST_READ) return { names, isCutOff: true }
        read += 1
        if (isListedAs(kind, status)) names.push(name)
      }
      return { names, isCutOff: false }
    },
    async *walk(stateMachine, { isRunning, onDamaged: onUnread = onDamaged } = {}) {
      for (const kept of keptExecutions(awsDir, stateMachine, onUnread)) {
        const { executionArn, name, redriveCount: redrives, startDate, stopDate } = kept
        if (isRunning === true && stopDate !== undefined) continue
        yield { executionArn, name, startedMs: startDate.getTime(), endedMs: stopDate?.getTime(), redrives }
      }
    },
    async read(stateMachine, name) {
      const known = findKnownExecution(awsDir, stateMachine, name)
      if (known?.status === 'UNREADABLE') return known.error ?? 'its file is damaged'
      const kept = readKeptExecution(awsDir, stateMachine, name)
      return kept && { ...historyOf(kept), input: findJson(kept.input) }
    },
    async *events(cursor) {
      const [stateMachine = '', name = ''] = cursor.executionArn.split(':').slice(-2)
      const kept = readKept(stateMachine, name)
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

function isListedAs(kind: ListedKind, status: string): boolean {
  return STATUSES[kind].some((listed) => listed === status)
}
