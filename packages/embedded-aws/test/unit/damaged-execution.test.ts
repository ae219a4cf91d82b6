// One execution whose file was changed by something else: all others go on, and its own name starts nothing anew.
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

test('an execution that cannot be read is left where it is, all others go on, and its name starts nothing', async () => {
  const directory = temporaryDirectory()
  const cutOff = startProcess(directory, machines)
  for (const name of ['a', 'b']) cutOff.executions.start('Slow', name, '{}')
  cutOff.executions.halt()
  damage(directory, 'Slow', 'a')
  const { executions, files, told, untilQuiet } = startProcess(directory, machines)
  executions.resume()
  await untilQuiet()
  expect(executions.find('Slow', 'b')).toMatchObject({ status: 'SUCCEEDED' })
  expect(executions.list('Slow').map(({ name }) => name)).toEqual(['b'])
  expect(files.damage()).toEqual([expect.stringMatching(/Slow.unfinished.a\..*\.jsonl:1 is not an event/)])
  expect(() => executions.find('Slow', 'a')).toThrow(DamagedLog)
  expect(() => executions.start('Slow', 'a', '{}')).toThrow(
    expect.objectContaining({ name: 'ExecutionAlreadyExists', message: expect.stringContaining('is not an event') }),
  )
  expect(told.filter(({ arn }) => arn === executionArn('Slow', 'a'))).toEqual([])
})

test('what an execution that cannot be read has started goes on to its end', async () => {
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

test('an execution that waits for one that cannot be read fails as for a name that is taken', async () => {
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

test('what was entered while the clock was ahead waits no longer than it would have', async () => {
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
