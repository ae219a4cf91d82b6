// In turn, the process dies right after each event of a run with Maps and child executions, and starts again. The run
// must end as without the deaths, and no child may be started twice.
import { describe, expect, test } from 'vitest'
import type { Json } from '../../states/json.ts'
import { executionArn, type Machines, startAndWait, startProcess, temporaryDirectory } from './executed.ts'
import { functionArn, only, START_MS } from './interpreted.ts'

const WORK = { Type: 'Task', Resource: functionArn('work'), End: true }
const LEG = {
  StartAt: 'Before',
  States: { Before: { Type: 'Wait', Seconds: 10, Next: 'Work' }, Work: WORK },
}
const broken = { Type: 'Fail', Error: 'Broken' }

function mapOf(processor: object, fields: object = {}): object {
  return { Type: 'Map', ItemProcessor: processor, ...('Next' in fields ? {} : { End: true }), ...fields }
}

/** Three legs, two at a time. The first leg has two parts. One state follows the Map. */
const NESTED: Machines = {
  machines: {
    Leg: LEG,
    Parent: {
      StartAt: 'Legs',
      States: {
        Legs: mapOf(
          {
            StartAt: 'Parts',
            States: {
              Parts: mapOf(
                { StartAt: 'Start', States: { Start: startAndWait('Leg') } },
                { ItemsPath: '$.parts', ResultPath: '$.done', Next: 'Wait' },
              ),
              Wait: { Type: 'Wait', Seconds: 5, End: true },
            },
          },
          { MaxConcurrency: 2, Next: 'After' },
        ),
        After: { Type: 'Pass', Parameters: { 'legs.$': '$' }, End: true },
      },
    },
  },
  functions: { work: (input) => ({ did: (input as { readonly name: string }).name }) },
}
const NESTED_INPUT = [['a-1', 'a-2'], ['b-1'], ['c-1']].map((names) => ({ parts: names.map((name) => ({ name })) }))

/** Four items, two at a time. The second item fails while the child of the first still waits. */
const FAILING: Machines = {
  ...NESTED,
  machines: {
    Leg: LEG,
    Parent: only(
      mapOf(
        {
          StartAt: 'Which',
          States: {
            Which: {
              Type: 'Choice',
              Choices: [{ Variable: '$.bad', IsPresent: true, Next: 'Soon' }],
              Default: 'Start',
            },
            Soon: { Type: 'Wait', Seconds: 3, Next: 'Broken' },
            Broken: broken,
            Start: startAndWait('Leg'),
          },
        },
        { MaxConcurrency: 2 },
      ),
    ),
  },
}
const FAILING_INPUT = [{ name: 'a' }, { bad: true }, { name: 'c' }, { name: 'd' }]

/** An inner Map fails, and the outer Map's Catch applies. */
const CAUGHT: Machines = {
  machines: {
    Parent: {
      StartAt: 'Outer',
      States: {
        Outer: mapOf(
          { StartAt: 'Inner', States: { Inner: mapOf({ StartAt: 'Try', States: { Try: { ...WORK, Retry: [] } } }) } },
          { Catch: [{ ErrorEquals: ['Broken'], ResultPath: null, Next: 'Done' }], Next: 'Done' },
        ),
        Done: { Type: 'Succeed' },
      },
    },
  },
  functions: { work: (input) => (input === 3 ? { error: 'Broken' } : input) },
}

/** The whole Map is retried and then succeeds. */
const RETRIED: Machines = {
  ...NESTED,
  machines: {
    Parent: only(
      mapOf(
        { StartAt: 'Try', States: { Try: { ...WORK, Resource: functionArn('flaky') } } },
        { Retry: [{ ErrorEquals: ['Flaky'], MaxAttempts: 2, IntervalSeconds: 4 }] },
      ),
    ),
  },
}

interface Outcome {
  readonly status: string
  readonly error: string | undefined
  readonly output: Json | undefined
  readonly children: readonly string[]
}

/**
 * Runs to the end in one or two processes. The first process dies after event number `fatal`; with 0 it does not die.
 */
async function outcomeOf(machines: Machines, input: Json, fatal: number): Promise<Outcome & { died: boolean }> {
  const directory = temporaryDirectory()
  let remaining = fatal
  const first = startProcess(directory, machines, { isFatal: () => --remaining === 0 })
  const start = () => first.executions.start('Parent', 'run-1', JSON.stringify(input))
  try {
    start()
  } catch {
    // The process died before `start` returned.
  }
  await first.untilQuiet()
  const died = fatal > 0 && remaining <= 0
  const { executions, untilQuiet } = died ? startProcess(directory, machines, { startMs: first.clock.nowMs() }) : first
  if (died) executions.resume()
  await untilQuiet()
  const run = executions.describe(executionArn('Parent', 'run-1'))
  const children = 'Leg' in machines.machines ? executions.list('Leg') : []
  return {
    died,
    status: run.status,
    error: run.error,
    output: run.output === undefined ? undefined : withoutDates(run.output),
    children: children.map(({ name, status }) => `${name} ${status}`).sort(),
  }
}

/** Removes the dates, which depend on when the process died. */
function withoutDates(output: string): Json {
  return JSON.parse(output.replaceAll(/"(StartDate|StopDate)":\d+/g, '"$1":0')) as Json
}

async function killAtEachEvent(machines: Machines, input: Json, check: (outcome: Outcome) => void): Promise<number> {
  for (let fatal = 1; ; fatal++) {
    const { died, ...outcome } = await outcomeOf(machines, input, fatal)
    if (!died) return fatal - 1
    try {
      check(outcome)
    } catch (error) {
      throw new Error(`killed after event ${fatal}: ${JSON.stringify(outcome)}`, { cause: error })
    }
  }
}

describe('killed after any event and started again,', () => {
  test('Maps within Maps end as without a kill, and each child is started once', async () => {
    const { died: _, ...expected } = await outcomeOf(NESTED, NESTED_INPUT, 0)
    expect(expected.status).toBe('SUCCEEDED')
    expect(expected.children).toEqual(['a-1', 'a-2', 'b-1', 'c-1'].map((name) => `${name} SUCCEEDED`))
    const kills = await killAtEachEvent(NESTED, NESTED_INPUT, (outcome) => expect(outcome).toEqual(expected))
    expect(kills).toBeGreaterThan(90)
  })

  test('a failing Map fails, its child is stopped, and the waiting items never start', async () => {
    const { died: _, ...expected } = await outcomeOf(FAILING, FAILING_INPUT, 0)
    expect(expected).toMatchObject({ status: 'FAILED', error: 'Broken', children: ['a ABORTED'] })
    const kills = await killAtEachEvent(FAILING, FAILING_INPUT, (outcome) => expect(outcome).toEqual(expected))
    expect(kills).toBeGreaterThan(15)
  })

  test('a Map that fails within a Map is caught once', async () => {
    const { died: _, ...expected } = await outcomeOf(CAUGHT, [[1, 2], [3]], 0)
    // With ResultPath null, the next state gets the Map's input without the error.
    expect(expected).toMatchObject({ status: 'SUCCEEDED', output: [[1, 2], [3]] })
    const kills = await killAtEachEvent(CAUGHT, [[1, 2], [3]], (outcome) => expect(outcome).toEqual(expected))
    expect(kills).toBeGreaterThan(25)
  })

  test('a Map that is tried again succeeds, with at most one more failed attempt', async () => {
    let failures = 1
    const flaky = (input: Json) => (input === 2 && failures-- > 0 ? { error: 'Flaky' } : input)
    const machines = { ...RETRIED, functions: { flaky } }
    const kills = await killAtEachEvent(machines, [1, 2, 3], (outcome) => {
      expect(outcome).toMatchObject({ status: 'SUCCEEDED', output: [1, 2, 3] })
      failures = 1
    })
    expect(kills).toBeGreaterThan(20)
  })
})

test('a redrive repeats only the iterations that did not succeed', async () => {
  let isBroken = true
  const worked: Json[] = []
  const machines: Machines = {
    machines: { Parent: only(mapOf({ StartAt: 'Work', States: { Work: WORK } }, { MaxConcurrency: 1 })) },
    functions: {
      work: (input) => {
        worked.push(input)
        return input === 2 && isBroken ? { error: 'Broken' } : input
      },
    },
  }
  const { executions, untilQuiet } = startProcess(temporaryDirectory(), machines)
  const { executionArn: arn } = executions.start('Parent', 'run-1', '[1,2,3]')
  await untilQuiet()
  expect(executions.describe(arn)).toMatchObject({ status: 'FAILED', error: 'Broken' })
  isBroken = false
  executions.redrive(arn)
  await untilQuiet()
  expect(executions.describe(arn)).toMatchObject({ status: 'SUCCEEDED', output: '[1,2,3]' })
  expect(worked).toEqual([1, 2, 2, 3])
})

test('a Task that waits for a child counts its time-out from before the kill', async () => {
  const directory = temporaryDirectory()
  const machines: Machines = {
    machines: {
      Leg: {
        StartAt: 'Long',
        States: { Long: { Type: 'Wait', Seconds: 1000, Next: 'Done' }, Done: { Type: 'Succeed' } },
      },
      Parent: only(startAndWait('Leg', { TimeoutSeconds: 100 })),
    },
  }
  const first = startProcess(directory, machines)
  first.executions.start('Parent', 'run-1', '{"name":"leg"}')
  await first.clock.untilQuiet(START_MS + 30_000)
  first.executions.halt()
  const second = startProcess(directory, machines, { startMs: START_MS + 40_000 })
  second.executions.resume()
  await second.untilQuiet()
  const run = second.executions.find('Parent', 'run-1')
  expect(run).toMatchObject({ status: 'FAILED', error: 'States.Timeout' })
  expect(run?.stopDate?.getTime()).toBe(START_MS + 100_000)
  expect(second.executions.find('Leg', 'leg')?.status).toBe('ABORTED')
})

test('each event names its previous event', async () => {
  const { executions, untilQuiet } = startProcess(temporaryDirectory(), {
    machines: { Parent: only(mapOf({ StartAt: 'In', States: { In: { Type: 'Wait', Seconds: 1, End: true } } })) },
  })
  const { executionArn: arn } = executions.start('Parent', 'run-1', '[1,2]')
  await untilQuiet()
  const lines = executions.history(arn).map(({ id, previousEventId, type }) => [id, previousEventId, type])
  expect(lines).toEqual([
    [1, 0, 'ExecutionStarted'],
    [2, 0, 'MapStateEntered'],
    [3, 2, 'MapStateStarted'],
    [4, 3, 'MapIterationStarted'],
    [5, 4, 'WaitStateEntered'],
    [6, 3, 'MapIterationStarted'],
    [7, 6, 'WaitStateEntered'],
    [8, 5, 'WaitStateExited'],
    [9, 8, 'MapIterationSucceeded'],
    [10, 7, 'WaitStateExited'],
    [11, 10, 'MapIterationSucceeded'],
    [12, 11, 'MapStateSucceeded'],
    [13, 11, 'MapStateExited'],
    [14, 13, 'ExecutionSucceeded'],
  ])
})
