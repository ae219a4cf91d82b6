// What the log of a Map that failed says to the next process.
import { expect, test } from 'vitest'
import { type Machines, startProcess, temporaryDirectory } from './executed.ts'
import { functionArn, only } from './interpreted.ts'

const work = { Type: 'Task', Resource: functionArn('work'), End: true }

/** A process that died right after the failure was written. The function would answer now. */
async function died() {
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

test('a Map whose failure was written stays failed', async () => {
  const { endAgain } = await died()
  expect(await endAgain()).toMatchObject({ status: 'FAILED', error: 'Once' })
})
