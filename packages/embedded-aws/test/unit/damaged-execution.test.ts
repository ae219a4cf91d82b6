// An execution whose file was changed from outside: all others continue, and its own name cannot be started again.
import { globSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { DamagedLog } from '../../states/execution-log.ts'
import { executionArn, type Machines, startAndWait, startProcess, temporaryDirectory } from './executed.ts'
import { only, START_MS } from './interpreted.ts'

const machines: Machines = {
  machines: {
    Slow: {
      StartAt: 'Rest',
      States: { Rest: { Type: 'Wait', Seconds: 10, Next: 'End' }, End: { Type: 'Succeed' } },
    },
    Parent: only(startAndWait('Slow')),
  },
}

function damage(directory: string, machine: string, name: string): void {
  const [file] = globSync(path.join(directory, `executions/${machine}/unfinished/${name}.*.jsonl`))
  writeFileSync(file ?? expect.fail('the execution has no file'), 'changed\n')
}

test('an unreadable execution stays in its file, all others continue, and its name cannot be started', async () => {
  const directory = temporaryDirectory()
  const cutOff = startProcess(directory, machines)
  for (const name of ['a', 'b']) cutOff.executions.start('Slow', name, '{}')
  cutOff.executions.halt()
  damage(directory, 'Slow', 'a')
  const { executions, files, reported, untilQuiet } = startProcess(directory, machines)
  executions.resume()
  await untilQuiet()
  expect(executions.find('Slow', 'b')).toMatchObject({ status: 'SUCCEEDED' })
  expect(executions.list('Slow').map(({ name }) => name)).toEqual(['b'])
  expect(files.damage()).toEqual([expect.stringMatching(/Slow.unfinished.a\..*\.jsonl:1 is not an event/)])
  expect(() => executions.find('Slow', 'a')).toThrow(DamagedLog)
  expect(() => executions.start('Slow', 'a', '{}')).toThrow(
    expect.objectContaining({ name: 'ExecutionAlreadyExists', message: expect.stringContaining('is not an event') }),
  )
  expect(reported.filter(({ arn }) => arn === executionArn('Slow', 'a'))).toEqual([])
})

test('the child of an unreadable execution runs to its end', async () => {
  const directory = temporaryDirectory()
  const child = executionArn('Slow', 'child')
  const cutOff = startProcess(directory, machines, { isFatal: (arn) => arn === child })
  cutOff.executions.start('Parent', 'p', '{"name":"child"}')
  await cutOff.untilQuiet()
  damage(directory, 'Parent', 'p')
  const { executions, untilQuiet } = startProcess(directory, machines)
  executions.resume()
  await untilQuiet()
  expect(executions.find('Slow', 'child')).toMatchObject({ status: 'SUCCEEDED' })
})

test('an execution whose child is unreadable fails as for a name in use', async () => {
  const directory = temporaryDirectory()
  const child = executionArn('Slow', 'child')
  const cutOff = startProcess(directory, machines, { isFatal: (arn) => arn === child })
  cutOff.executions.start('Parent', 'p', '{"name":"child"}')
  await cutOff.untilQuiet()
  damage(directory, 'Slow', 'child')
  const { executions, untilQuiet } = startProcess(directory, machines)
  executions.resume()
  await untilQuiet()
  expect(executions.find('Parent', 'p')).toMatchObject({
    status: 'FAILED',
    error: 'StepFunctions.ExecutionAlreadyExistsException',
  })
})

test('a Wait that was entered while the clock was ahead does not become longer', async () => {
  const directory = temporaryDirectory()
  const aheadMs = START_MS + 1e11
  const ahead = startProcess(directory, machines, { startMs: aheadMs })
  ahead.executions.start('Slow', 'a', '{}')
  await ahead.clock.untilQuiet(aheadMs + 4_000)
  ahead.executions.halt()
  const { clock, executions } = startProcess(directory, machines)
  executions.resume()
  await clock.untilQuiet(START_MS + 11_000)
  expect(executions.find('Slow', 'a')).toMatchObject({ status: 'SUCCEEDED' })
})
