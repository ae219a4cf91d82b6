// Fills the folder of a state machine's executions with copies of its only execution, under other names and days of the
// past two years. For the benchmark only: nothing is synced on the way.
import path from 'node:path'
import { loadParts, UNSYNCED } from '@sluice/embedded-aws'
import { StateMachine } from '../core/contract/states.ts'

const { ExecutionFiles, createLog } = await loadParts()

const SPAN_MS = 730 * 24 * 3_600_000

/** `directory`: the folder with the executions of all machines. The folder of conversions holds one ended execution. */
export function seedExecutions(directory: string, count: number): void {
  const files = new ExecutionFiles(directory, UNSYNCED)
  const machine = StateMachine.Convert
  const [model] = files.list(machine, ['finished'])
  if (model === undefined) throw new TypeError(`${path.join(directory, machine)} has no execution that has ended`)
  const drafts = model.events.map(({ id: _id, previousEventId: _previous, timestamp: _timestamp, ...draft }) => draft)
  for (let nth = 0; nth < count; nth += 1) {
    const name = `intent-${nth}`
    const header = {
      ...model.header,
      name,
      executionArn: model.header.executionArn.replace(/[^:]+$/, name),
      startMs: model.header.startMs - SPAN_MS + Math.floor((nth * SPAN_MS) / count),
    }
    createLog(UNSYNCED, files.pathOf(machine, name, 'finished'), header, drafts)
  }
}
