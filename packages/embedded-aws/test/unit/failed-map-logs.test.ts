// The next process reads a failed Map from the log as failed.
import { expect, test } from 'vitest'
import { type Machines, startProcess, temporaryDirectory } from './executed.ts'
import { functionArn, only } from './interpreted.ts'

const work = { Type: 'Task', Resource: functionArn('work'), End: true }

/** A process that died right after it wrote the failure. The function would succeed now. */
async function diedAfterFailure() {
  const directory = temporaryDirectory()
  let failures = 1
  const machines: Machines = {
    machines: { Parent: only({ Type: 'Map', ItemProcessor: { StartAt: 'Work', States: { Work: work } }, End: true }) },
    functions: { work: (input) => (failures-- > 0 ? { error: 'Once' } : input) },
  }
  const first = startProcess(directory, machines, { isFatal: (_, event) => event.type === 'MapIterationFailed' })
  first.executions.start('Parent', 'run-1', '[1]')
  await first.untilQuiet()
  return {
    async endAgain() {
      const second = startProcess(directory, machines)
      second.executions.resume()
      await second.untilQuiet()
      return second.executions.find('Parent', 'run-1')
    },
  }
}

test('a Map whose failure was recorded stays failed', async () => {
  const { endAgain } = await diedAfterFailure()
  expect(await endAgain()).toMatchObject({ status: 'FAILED', error: 'Once' })
})
