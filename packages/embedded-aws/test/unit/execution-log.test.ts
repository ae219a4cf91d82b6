// A changed byte in the file of an execution is reported with the file's name, and never read as another history.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LoggedExecution, readLog } from '../../states/execution-log.ts'
import { startProcess, temporaryDirectory } from './executed.ts'
import { only } from './interpreted.ts'

async function writtenFile(): Promise<string> {
  const directory = temporaryDirectory()
  const { executions, untilQuiet } = startProcess(directory, { machines: { Calm: only({ Type: 'Succeed' }) } })
  executions.start('Calm', 'a', '{"amount":"0.5"}')
  await untilQuiet()
  const [file] = globSync(path.join(directory, 'executions/Calm/finished/*.jsonl'))
  return file ?? expect.fail('the execution has no file')
}

test('a changed byte is reported with its line, or removes the last line', async () => {
  const file = await writtenFile()
  const written = readFileSync(file)
  const original = readLog(file) as LoggedExecution
  const changed = path.join(path.dirname(file), 'changed.jsonl')
  fc.assert(
    fc.property(fc.nat(written.length - 1), fc.integer({ min: 1, max: 127 }), (at, change) => {
      const bytes = Buffer.from(written)
      bytes[at] = (written[at] ?? 0) ^ change
      writeFileSync(changed, bytes)
      let read: LoggedExecution | undefined
      try {
        read = readLog(changed)
      } catch (error) {
        expect((error as Error).message).toMatch(/changed\.jsonl:\d+ is not an event/)
        return
      }
      const isLastBreak = at === written.length - 1
      expect(read?.events).toEqual(isLastBreak ? original.events.slice(0, -1) : original.events)
    }),
    { numRuns: 500 },
  )
})

test('a line without its checksum is damaged', async () => {
  const file = await writtenFile()
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"crc":\d+,/, ''))
  expect(() => readLog(file)).toThrow('is not an event')
})
