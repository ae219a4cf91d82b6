// A state's input passes through its paths in the order of the Amazon States Language, and the context is at hand.
import { expect, test } from 'vitest'
import { functionArn, interpret, only, pass } from './interpreted.ts'

const INPUT = { a: { b: [10, 20], 'c d': true }, keep: 1 }

test.each<[string, object, unknown]>([
  ['InputPath picks a part of the input', { InputPath: '$.a.b' }, [10, 20]],
  ['InputPath null gives an empty object', { InputPath: null }, {}],
  ['a bracketed name may hold spaces', { InputPath: "$.a['c d']" }, true],
  ['an index picks an item', { InputPath: '$.a.b[1]' }, 20],
  ['OutputPath picks a part of the output', { OutputPath: '$.keep' }, 1],
  ['OutputPath null gives an empty object', { OutputPath: null }, {}],
  ['Result replaces the input', { Result: { x: 1 } }, { x: 1 }],
  ['ResultPath $ replaces the input', { Result: { x: 1 }, ResultPath: '$' }, { x: 1 }],
  ['ResultPath null keeps the input', { Result: { x: 1 }, ResultPath: null }, INPUT],
  ['ResultPath puts the result beside the input', { Result: 7, ResultPath: '$.new' }, { ...INPUT, new: 7 }],
  ['ResultPath creates missing objects on its path', { Result: 7, ResultPath: '$.x.y' }, { ...INPUT, x: { y: 7 } }],
  [
    'ResultPath replaces an existing item',
    { Result: 7, ResultPath: '$.a.b[0]' },
    { ...INPUT, a: { ...INPUT.a, b: [7, 20] } },
  ],
  [
    'ResultPath joins the whole input, not the part from InputPath',
    { InputPath: '$.a', Result: 7, ResultPath: '$.new' },
    { ...INPUT, new: 7 },
  ],
  ['Parameters build a new input', { Parameters: { 'n.$': '$.keep', fixed: '$.keep' } }, { n: 1, fixed: '$.keep' }],
  ['Parameters get the part from InputPath', { InputPath: '$.a', Parameters: { 'first.$': '$.b[0]' } }, { first: 10 }],
  [
    'Parameters are filled inside lists and objects',
    { Parameters: { list: [{ 'n.$': '$.keep' }, 2], deep: { 'n.$': '$.keep' } } },
    { list: [{ n: 1 }, 2], deep: { n: 1 } },
  ],
])('%s', async (_name, fields, output) => {
  await expect(interpret(pass(fields), INPUT)).resolves.toMatchObject({ status: 'SUCCEEDED', output })
})

test('the context object names execution, state and state machine', async () => {
  const { output } = await interpret(pass({ Parameters: { 'context.$': '$$' } }), { in: 'put' })
  expect(output).toEqual({
    context: {
      Execution: {
        Id: 'arn:aws:states:us-east-1:123456789012:execution:Test:run-1',
        Input: { in: 'put' },
        Name: 'run-1',
        RoleArn: 'arn:aws:iam::123456789012:role/machine',
        StartTime: '2026-01-31T09:00:00.000Z',
        RedriveCount: 0,
      },
      State: { EnteredTime: '2026-01-31T09:00:00.000Z', Name: 'Only' },
      StateMachine: { Id: 'arn:aws:states:us-east-1:123456789012:stateMachine:Test', Name: 'Test' },
    },
  })
})

test.each<[string, object]>([
  ['InputPath', { InputPath: '$.nothing' }],
  ['OutputPath', { OutputPath: '$.nothing' }],
  ['a field of Parameters', { Parameters: { 'x.$': '$.nothing' } }],
  ['an index past the end', { InputPath: '$.a.b[2]' }],
])('a path without a value in %s fails with States.Runtime', async (_name, fields) => {
  await expect(interpret(pass(fields), INPUT)).resolves.toMatchObject({ status: 'FAILED', error: 'States.Runtime' })
})

test.each<[string, unknown, string]>([
  ['a list', [1], '$.x'],
  ['a string', 'text', '$.x'],
  ['a string on the way', { x: 'text' }, '$.x.y'],
  ['a missing item', { x: [] }, '$.x[0]'],
])('ResultPath into %s fails with States.ResultPathMatchFailure', async (_name, input, path) => {
  await expect(interpret(pass({ Result: 1, ResultPath: path }), input as never)).resolves.toMatchObject({
    error: 'States.ResultPathMatchFailure',
  })
})

test('a field called __proto__ is ordinary data', async () => {
  const input = JSON.parse('{"__proto__":{"polluted":true}}')
  const { output } = await interpret(pass({ Result: 1, ResultPath: "$['__proto__'].x" }), input)
  expect(JSON.stringify(output)).toBe('{"__proto__":{"polluted":true,"x":1}}')
})

test('a Task passes its result through ResultSelector, ResultPath and OutputPath in this order', async () => {
  const state = {
    Type: 'Task',
    Resource: functionArn('answer'),
    InputPath: '$.a',
    Parameters: { 'items.$': '$.b' },
    ResultSelector: { 'chosen.$': '$.value', 'name.$': '$$.Execution.Name' },
    ResultPath: '$.result',
    OutputPath: '$.result',
    End: true,
  }
  const run = await interpret(only(state), INPUT, { functions: { answer: () => ({ value: 5, other: 6 }) } })
  expect(run.payloads).toEqual([{ items: [10, 20] }])
  expect(run.output).toEqual({ chosen: 5, name: 'run-1' })
})

test('the Lambda integration wraps the result of the function', async () => {
  const state = {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: functionArn('answer'), 'Payload.$': '$.a' },
    ResultSelector: { 'payload.$': '$.Payload', 'status.$': '$.StatusCode' },
    End: true,
  }
  const run = await interpret(only(state), INPUT, { functions: { answer: () => ({ value: 5 }) } })
  expect(run.payloads).toEqual([INPUT.a])
  expect(run.output).toEqual({ payload: { value: 5 }, status: 200 })
  expect(run.events.map((event) => event.type)).toEqual([
    'TaskStateEntered',
    'TaskScheduled',
    'TaskStarted',
    'TaskSucceeded',
    'TaskStateExited',
    'ExecutionSucceeded',
  ])
})
