// The previous event of each event, and the reported ends, as in histories recorded from AWS. The recordings are
// public, in the test snapshots of localstack/localstack (tests/aws/services/stepfunctions). Tests with "(measured)"
// rest on measurements of others.
import { describe, expect, test } from 'vitest'
import type { Json } from '../../states/json.ts'
import { execute, executionArn, type Machines, startAndWait, startProcess, temporaryDirectory } from './executed.ts'
import { functionArn, only, START_MS } from './interpreted.ts'

const run = async (definition: object, input: Json = {}, functions: NonNullable<Machines['functions']> = {}) => {
  const { executions, output, run: end } = await execute({ machines: { One: definition }, functions }, 'One', input)
  const history = executions.history(end.executionArn)
  return { end, output, history, lines: history.map((event) => `${event.id}<-${event.previousEventId} ${event.type}`) }
}
const work = { Type: 'Task', Resource: functionArn('work'), End: true }
const mapOver = (state: object, fields: object = {}, name = 'In') =>
  only({
    Type: 'Map',
    MaxConcurrency: 1,
    ItemProcessor: { StartAt: name, States: { [name]: state } },
    End: true,
    ...fields,
  })
/** The single state of a machine. */
const stateOf = (definition: { readonly States: { readonly Only: object } }) => definition.States.Only
const broken = { Type: 'Fail', Error: 'Broken', Cause: 'why' }

describe('a Map', () => {
  test('names the previous event of each event', async () => {
    const { lines } = await run(mapOver({ Type: 'Pass', End: true }), [1, 2])
    expect(lines).toEqual([
      '1<-0 ExecutionStarted',
      '2<-0 MapStateEntered',
      '3<-2 MapStateStarted',
      '4<-3 MapIterationStarted',
      '5<-4 PassStateEntered',
      '6<-5 PassStateExited',
      '7<-6 MapIterationSucceeded',
      // The previous event is the last inner event of the iteration before, not its MapIterationSucceeded.
      '8<-6 MapIterationStarted',
      '9<-8 PassStateEntered',
      '10<-9 PassStateExited',
      '11<-10 MapIterationSucceeded',
      '12<-11 MapStateSucceeded',
      '13<-11 MapStateExited',
      '14<-13 ExecutionSucceeded',
    ])
  })

  test('names the previous events within a Map too', async () => {
    const inner = stateOf(mapOver({ Type: 'Pass', End: true }))
    const { lines } = await run(mapOver(inner, {}, 'Inner'), [[1, 2], [3]])
    expect(lines.slice(3)).toEqual([
      '4<-3 MapIterationStarted',
      '5<-4 MapStateEntered',
      '6<-5 MapStateStarted',
      '7<-6 MapIterationStarted',
      '8<-7 PassStateEntered',
      '9<-8 PassStateExited',
      '10<-9 MapIterationSucceeded',
      '11<-9 MapIterationStarted',
      '12<-11 PassStateEntered',
      '13<-12 PassStateExited',
      '14<-13 MapIterationSucceeded',
      '15<-14 MapStateSucceeded',
      '16<-14 MapStateExited',
      '17<-16 MapIterationSucceeded',
      '18<-16 MapIterationStarted',
      '19<-18 MapStateEntered',
      '20<-19 MapStateStarted',
      '21<-20 MapIterationStarted',
      '22<-21 PassStateEntered',
      '23<-22 PassStateExited',
      '24<-23 MapIterationSucceeded',
      '25<-24 MapStateSucceeded',
      '26<-24 MapStateExited',
      '27<-26 MapIterationSucceeded',
      '28<-27 MapStateSucceeded',
      '29<-27 MapStateExited',
      '30<-29 ExecutionSucceeded',
    ])
  })

  test('a Map that is caught fails without details', async () => {
    const map = stateOf(mapOver(broken, { Catch: [{ ErrorEquals: ['Broken'], Next: 'Done' }] }))
    const States = { Only: map, Done: { Type: 'Pass', End: true } }
    const { history, output, lines } = await run({ StartAt: 'Only', States }, [1])
    expect(lines.slice(4)).toEqual([
      '5<-4 FailStateEntered',
      '6<-5 MapIterationFailed',
      '7<-5 MapStateFailed',
      '8<-7 MapStateExited',
      '9<-8 PassStateEntered',
      '10<-9 PassStateExited',
      '11<-10 ExecutionSucceeded',
    ])
    expect(history[6]).not.toHaveProperty('mapStateFailedEventDetails')
    expect(output).toEqual({ Error: 'Broken', Cause: 'why' })
  })

  test('a Map that is tried again fails once, after the last attempt', async () => {
    const Retry = [{ ErrorEquals: ['Broken'], MaxAttempts: 2, IntervalSeconds: 1 }]
    const { lines } = await run(mapOver(broken, { Retry }), [1])
    expect(lines.slice(2)).toEqual([
      '3<-2 MapStateStarted',
      '4<-3 MapIterationStarted',
      '5<-4 FailStateEntered',
      '6<-5 MapIterationFailed',
      '7<-5 MapStateStarted',
      '8<-7 MapIterationStarted',
      '9<-8 FailStateEntered',
      '10<-9 MapIterationFailed',
      '11<-9 MapStateStarted',
      '12<-11 MapIterationStarted',
      '13<-12 FailStateEntered',
      '14<-13 MapIterationFailed',
      '15<-13 MapStateFailed',
      '16<-15 ExecutionFailed',
    ])
  })

  test('reports in item order the states in which a failure ended its iterations', async () => {
    const answer = (input: Json): Json | Promise<Json> =>
      input === 'bad' ? { error: 'Broken' } : new Promise<Json>(() => undefined)
    const definition = mapOver(work, { MaxConcurrency: 3 })
    const { history, lines } = await run(definition, ['slow', 'bad', 'slow'], { work: answer })
    const failed = history.find((event) => event.type === 'LambdaFunctionFailed')?.id ?? 0
    expect(lines.slice(failed)).toEqual([
      `${failed + 1}<-${failed} MapIterationAborted`,
      `${failed + 2}<-${failed} TaskStateAborted`,
      `${failed + 3}<-${failed} MapIterationFailed`,
      `${failed + 4}<-${failed} TaskStateAborted`,
      `${failed + 5}<-${failed} MapIterationAborted`,
      `${failed + 6}<-${failed} TaskStateAborted`,
      `${failed + 7}<-${failed} MapStateFailed`,
      `${failed + 8}<-${failed + 7} ExecutionFailed`,
    ])
    expect(history.slice(failed).map((event) => event.mapIterationAbortedEventDetails?.index)).toEqual([
      0,
      ...[undefined, undefined, undefined],
      2,
      ...[undefined, undefined, undefined],
    ])
  })

  test('a Map that ends with a runtime error reports none of its iterations (measured), and names the state of the error', async () => {
    const definition = mapOver({ Type: 'Pass', InputPath: '$.nothing', End: true }, { MaxConcurrency: 2 })
    const { end, lines } = await run(definition, [1])
    expect(lines.slice(3)).toEqual(['4<-3 MapIterationStarted', '5<-4 PassStateEntered', '6<-5 ExecutionFailed'])
    expect(end).toMatchObject({
      error: 'States.Runtime',
      cause: expect.stringMatching(
        /^An error occurred while executing the state 'In' \(entered at the event id #5\)\. /,
      ),
    })
  })
})

describe('an execution that does not end itself', () => {
  const wait = only({ Type: 'Wait', Seconds: 60, End: true })

  test('when it is stopped, has no previous event at its end', async () => {
    const { clock, executions } = startProcess(temporaryDirectory(), { machines: { One: wait } })
    const { executionArn: arn } = executions.start('One', 'run-1', '{}')
    await clock.untilQuiet(START_MS + 1000)
    executions.stop(arn, undefined, undefined)
    const [last] = executions.history(arn).slice(-1)
    expect(last).toMatchObject({ id: 3, previousEventId: 0, executionAbortedEventDetails: {} })
  })

  test('when it times out, has an error in its history but not in its description (measured)', async () => {
    const { end, history } = await run({ ...wait, TimeoutSeconds: 3 })
    expect(end).toMatchObject({ status: 'TIMED_OUT', stopDate: new Date(START_MS + 3000) })
    expect(end).not.toHaveProperty('error')
    expect(end).not.toHaveProperty('cause')
    expect(history.at(-1)).toMatchObject({
      id: 3,
      previousEventId: 0,
      type: 'ExecutionTimedOut',
      executionTimedOutEventDetails: { error: 'States.Timeout' },
    })
  })
})

describe('a child that startExecution.sync:2 waits for', () => {
  test('fails its Task with its description, in which the input is text (measured)', async () => {
    const machines = { Leg: only(broken), One: only(startAndWait('Leg')) }
    const { run: end } = await execute({ machines }, 'One', { name: 'leg-1' })
    const cause = JSON.parse(end.cause ?? '')
    expect(end.error).toBe('States.TaskFailed')
    expect(cause).toMatchObject({ Error: 'Broken', Cause: 'why', Status: 'FAILED', Input: '{"name":"leg-1"}' })
    expect(Object.keys(cause)).toEqual([
      'Cause',
      'Error',
      'ExecutionArn',
      'Input',
      'InputDetails',
      'Name',
      'RedriveCount',
      'RedriveStatus',
      'StartDate',
      'StateMachineArn',
      'Status',
      'StopDate',
    ])
  })

  test('is stopped with a cause that names the waiting execution (measured)', async () => {
    const machines = { Leg: only({ Type: 'Wait', Seconds: 60, End: true }), One: only(startAndWait('Leg')) }
    const { clock, executions } = startProcess(temporaryDirectory(), { machines })
    const { executionArn: arn } = executions.start('One', 'run-1', '{"name":"leg-1"}')
    await clock.untilQuiet(START_MS + 1000)
    executions.stop(arn, undefined, undefined)
    const leg = executions.describe(executionArn('Leg', 'leg-1'))
    expect(leg).toMatchObject({
      status: 'ABORTED',
      cause: `The Task state in AWS Step Functions execution [${arn}] which was managing this resource was aborted`,
    })
    expect(leg).not.toHaveProperty('error')
  })
})
