// What the log of a Map that failed says to the next process, in today's form and in that of earlier versions.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Machines, startProcess, temporaryDirectory } from './executed.ts'
import { functionArn, only, START_MS } from './interpreted.ts'

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
    file: first.files.pathOf('Parent', 'run-1', 'unfinished'),
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

test('so does one of which an earlier version wrote it to the Map', async () => {
  const { endAgain, file } = await died()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const before = lines.map((line) => {
    const { crc: _, failure: __, ...rest } = JSON.parse(line)
    return JSON.stringify(rest)
  })
  const { id } = JSON.parse(before.at(-1) ?? '').event
  const event = { id: id + 1, previousEventId: id, timestamp: START_MS, type: 'MapStateFailed' }
  const last = { event: { ...event, mapStateFailedEventDetails: { error: 'Once', cause: '{}' } } }
  writeFileSync(file, [...before, JSON.stringify(last), ''].join('\n'))
  expect(await endAgain()).toMatchObject({ status: 'FAILED', error: 'Once' })
})
