// Executions read from their files while their process runs or is gone. Reading continues no execution.
import { globSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { keptExecutions, readKeptExecution } from '../../embedded-journal.ts'
import type { ExecutionFiles, ListedExecution } from '../../states/execution-files.ts'
import { DamagedLog } from '../../states/execution-log.ts'
import { type Machines, startProcess, temporaryDirectory } from './executed.ts'
import { START_MS } from './interpreted.ts'

const machines: Machines = {
  machines: {
    Slow: {
      StartAt: 'Rest',
      States: { Rest: { Type: 'Wait', Seconds: 10, Next: 'End' }, End: { Type: 'Succeed' } },
    },
    Unused: { StartAt: 'End', States: { End: { Type: 'Succeed' } } },
  },
}

const FAILS = { StartAt: 'No', States: { No: { Type: 'Fail', Error: 'No' } } }

function refuseDamage(message: string): never {
  throw new Error(message)
}

/** Three executions that ended one after the other, and one that is unfinished. */
async function arrange(): Promise<string> {
  const directory = temporaryDirectory()
  for (const [index, name] of ['zebra', 'ant', 'cat'].entries()) {
    const run = startProcess(directory, machines, { startMs: START_MS + index * 60_000 })
    run.executions.start('Slow', name, '{}')
    await run.untilQuiet()
  }
  const unfinished = startProcess(directory, machines, { startMs: START_MS + 600_000 })
  unfinished.executions.start('Slow', 'open', '{}')
  unfinished.executions.halt()
  return directory
}

const filesOf = (directory: string) => globSync(path.join(directory, 'executions/Slow/*/*.jsonl')).sort()

test('kept executions are listed latest first with their histories, and their files stay as they are', async () => {
  const directory = await arrange()
  const before = filesOf(directory).map((file) => [file, readFileSync(file, 'utf8')])
  const kept = [...keptExecutions(directory, 'Slow', refuseDamage)]
  expect(kept.map(({ name, status }) => [name, status])).toEqual([
    ['open', 'RUNNING'],
    ['cat', 'SUCCEEDED'],
    ['ant', 'SUCCEEDED'],
    ['zebra', 'SUCCEEDED'],
  ])
  expect(kept.at(-1)?.events.map(({ id, type }) => [id, type])).toEqual([
    [1, 'ExecutionStarted'],
    [2, 'WaitStateEntered'],
    [3, 'WaitStateExited'],
    [4, 'SucceedStateEntered'],
    [5, 'SucceedStateExited'],
    [6, 'ExecutionSucceeded'],
  ])
  expect(filesOf(directory).map((file) => [file, readFileSync(file, 'utf8')])).toEqual(before)
  expect([...keptExecutions(directory, 'Unused', refuseDamage)]).toEqual([])
  expect([...keptExecutions(directory, 'nothing', refuseDamage)]).toEqual([])
})

test('an execution is found by its name, with its history', async () => {
  const directory = await arrange()
  expect(readKeptExecution(directory, 'Slow', 'ant')).toMatchObject({ name: 'ant', events: { length: 6 } })
  expect(readKeptExecution(directory, 'Slow', 'open')).toMatchObject({ status: 'RUNNING', events: { length: 2 } })
  expect(readKeptExecution(directory, 'Slow', 'nobody')).toBeUndefined()
})

test('a changed file is reported once, and the others are still listed', async () => {
  const directory = await arrange()
  const file = filesOf(directory).find((name) => name.includes('/ant.')) ?? expect.fail('ant has no file')
  writeFileSync(file, 'changed\n')
  const reported: string[] = []
  const kept = [...keptExecutions(directory, 'Slow', (message) => reported.push(message))]
  expect(kept.map(({ name }) => name)).toEqual(['open', 'cat', 'zebra'])
  expect(reported).toEqual([expect.stringContaining(`${file}:1 is not an event`)])
  expect(() => readKeptExecution(directory, 'Slow', 'ant')).toThrow(DamagedLog)
})

test('an execution that ends after the list was made is read in its new folder', async () => {
  const directory = await arrange()
  const listed = keptExecutions(directory, 'Slow', refuseDamage)
  const first = listed.next()
  expect(first.value).toMatchObject({ name: 'open' })
  const again = startProcess(directory, machines, { startMs: START_MS + 1_200_000 })
  const others = again.files.latest('Slow')
  again.executions.resume()
  await again.untilQuiet()
  expect(others[0]?.read()).toMatchObject({ header: { name: 'open' } })
  expect([...listed].map(({ name }) => name)).toEqual(['cat', 'ant', 'zebra'])
})

test('a list of running executions reads no finished file', async () => {
  const directory = await arrange()
  for (const file of filesOf(directory)) if (file.includes('/finished/')) writeFileSync(file, 'changed\n')
  const { executions, files } = startProcess(directory, machines)
  expect(executions.list('Slow', true).map(({ name }) => name)).toEqual(['open'])
  expect(files.damage()).toEqual([])
})

test('the status of an ended execution is known from the last line of its file, until a redrive', async () => {
  const directory = temporaryDirectory()
  const { executions, files, untilQuiet } = startProcess(directory, { machines: { Bad: FAILS } })
  const { executionArn: arn } = executions.start('Bad', 'a', '{}')
  await untilQuiet()
  expect(excludedStatuses(files, 'Bad')).toEqual(['SUCCEEDED'])
  executions.redrive(arn)
  expect(excludedStatuses(files, 'Bad')).toEqual([])
  await untilQuiet()
})

test('an execution that another process redrives is not known by its former end', async () => {
  const directory = temporaryDirectory()
  const owner = startProcess(directory, { machines: { Bad: FAILS } })
  const { executionArn: arn } = owner.executions.start('Bad', 'a', '{}')
  await owner.untilQuiet()
  const { files } = startProcess(directory, { machines: { Bad: FAILS } })
  expect(files.latest('Bad')[0]?.isOther('RUNNING')).toBe(true)
  owner.executions.redrive(arn)
  expect(files.latest('Bad', ['unfinished'])[0]?.isOther('RUNNING')).toBe(false)
  await owner.untilQuiet()
})

test('if the last line exceeds the bytes that are read, the status is known only after a full read', async () => {
  const directory = temporaryDirectory()
  const { executions, files, untilQuiet } = startProcess(directory, machines)
  executions.start('Unused', 'long', JSON.stringify({ text: 'x'.repeat(10_000) }))
  await untilQuiet()
  expect(excludedStatuses(files, 'Unused')).toEqual([])
  files.latest('Unused')[0]?.read()
  expect(excludedStatuses(files, 'Unused')).toEqual(['FAILED'])
})

test.each<[string, (text: string) => string]>([
  ['cut off', (text) => text.slice(0, -20)],
  ['without its last line', (text) => text.split('\n').slice(0, -2).join('\n').concat('\n')],
  ['changed in its last line', (text) => text.replace(/ExecutionSucceeded/, 'ExecutionFailed')],
])('the status of a file that is %s is unknown before it is read', async (_, change) => {
  const directory = await arrange()
  const file = filesOf(directory).find((name) => name.includes('/zebra.')) ?? expect.fail('zebra has no file')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  const { files } = startProcess(directory, machines)
  const [zebra] = files.latest('Slow', ['finished']).slice(-1)
  expect(zebra?.isOther('FAILED')).toBe(false)
  expect(zebra?.isOther('SUCCEEDED')).toBe(false)
  expect(zebra?.read()).toBeUndefined()
  expect(files.damage()).toEqual([expect.stringContaining(file)])
})

test('an unchanged folder is not listed again, and a file that another process adds is in the next list', async () => {
  const directory = await arrange()
  settle(directory)
  const { files } = startProcess(directory, machines)
  const finished = files.latest('Slow', ['finished'])
  expect(files.latest('Slow', ['finished'])[0]).toBe(finished[0])
  const other = startProcess(directory, machines, { startMs: START_MS + 1_200_000 })
  other.executions.resume()
  await other.untilQuiet()
  expect(namesOf(files.latest('Slow'))).toEqual(['open', 'cat', 'ant', 'zebra'])
})

test('an execution that a process finishes is in its next list, even if the folder has its old modification time', async () => {
  const directory = await arrange()
  settle(directory)
  const { executions, files, untilQuiet } = startProcess(directory, machines, { startMs: START_MS + 1_200_000 })
  expect(namesOf(files.latest('Slow', ['finished']))).toEqual(['cat', 'ant', 'zebra'])
  executions.resume()
  await untilQuiet()
  settle(directory)
  expect(namesOf(files.latest('Slow', ['finished']))).toEqual(['open', 'cat', 'ant', 'zebra'])
})

/** Sets the folder's modification time far back, as if its files were old. */
function settle(directory: string): void {
  utimesSync(path.join(directory, 'executions/Slow/finished'), START_MS / 1_000, START_MS / 1_000)
}

const namesOf = (listed: readonly ListedExecution[]) => listed.map((execution) => execution.read()?.header.name)

/** Statuses that the latest execution of a machine is known not to have. */
function excludedStatuses(files: ExecutionFiles, machine: string): readonly string[] {
  return ['FAILED', 'SUCCEEDED'].filter((status) => files.latest(machine)[0]?.isOther(status))
}
