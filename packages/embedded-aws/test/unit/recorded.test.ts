// States, functions and definitions give the same results as in executions recorded from AWS. The recordings are
// public, in the test snapshots of localstack/localstack (tests/aws/services/stepfunctions). Decision 1 names the
// behaviour that rests on them.
import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../../states/definition-store.ts'
import type { Json } from '../../states/json.ts'
import { execute, type Machines } from './executed.ts'
import { functionArn, interpret, only, pass, START_MS } from './interpreted.ts'

const TOO_LARGE = 'x'.repeat(262_144)
const run = async (definition: object, input: Json = {}, options: Omit<Machines, 'machines'> = {}) => {
  const { executions, output, run: end } = await execute({ machines: { One: definition }, ...options }, 'One', input)
  const history = executions.history(end.executionArn)
  return { end, output, history, lines: history.map((event) => `${event.id}<-${event.previousEventId} ${event.type}`) }
}
const caught = (state: object, ErrorEquals: readonly string[] = ['States.ALL']) => ({
  StartAt: 'Try',
  States: {
    Try: { ...state, Catch: [{ ErrorEquals, Next: 'Caught' }], End: true },
    Caught: { Type: 'Pass', End: true },
  },
})
const direct = { Type: 'Task', Resource: functionArn('work') }
const integrated = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: functionArn('work') },
}

describe('a result that is too large', () => {
  test.each([
    ['a function', direct, functionArn('work')],
    ['the Lambda integration', integrated, 'lambda'],
  ])('of %s is caught by States.ALL', async (_name, state, owner) => {
    const { output } = await run(caught(state), {}, { functions: { work: () => TOO_LARGE } })
    expect(output).toEqual({
      Error: 'States.DataLimitExceeded',
      Cause: `The state/task '${owner}' returned a result with a size exceeding the maximum number of bytes service limit.`,
    })
  })

  test('of a Pass ends the execution', async () => {
    const two = { Type: 'Pass', Parameters: { 'a.$': '$.x', 'b.$': '$.x' }, End: true }
    const { end, lines } = await run(only(two), { x: 'x'.repeat(140_000) })
    expect(end).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' })
    expect(lines.at(-1)).toBe('3<-2 ExecutionFailed')
  })
})

test.each([
  ['a function', direct],
  ['the Lambda integration', integrated],
])('a time-out of %s is caught with an empty cause, and its event has no cause', async (_name, state) => {
  const { events, output } = await interpret(
    caught({ ...state, TimeoutSeconds: 5 }),
    {},
    { functions: { work: () => 'hang' } },
  )
  expect(output).toEqual({ Error: 'States.Timeout', Cause: '' })
  const { lambdaFunctionTimedOutEventDetails, taskTimedOutEventDetails } =
    events.find((event) => event.type.endsWith('TimedOut')) ?? {}
  expect(lambdaFunctionTimedOutEventDetails ?? taskTimedOutEventDetails).not.toHaveProperty('cause')
})

describe('a Wait', () => {
  const wait = only({ Type: 'Wait', TimestampPath: '$.t', End: true })
  const inDays = (days: number) => ({ t: new Date(START_MS + days * 86_400_000).toISOString() })

  test('a Wait of 24,855 days succeeds', async () => {
    expect((await run(wait, inDays(24_855))).end.status).toBe('SUCCEEDED')
  })

  test('a Wait of 24,856 days fails at once', async () => {
    const { end, lines } = await run(wait, inDays(24_856))
    expect(end).toMatchObject({
      error: 'States.Runtime',
      cause:
        "An error occurred while executing the state 'Only' (entered at the event id #2). Wait state delay is too long.",
      stopDate: new Date(START_MS),
    })
    expect(lines.at(-1)).toBe('3<-2 ExecutionFailed')
  })

  test.each<[object, Json, string]>([
    [{ SecondsPath: '$.s' }, { s: -1 }, 'The SecondsPath parameter references a negative value: $.s == -1'],
    [{ SecondsPath: '$.s' }, { s: 1.5 }, 'The SecondsPath parameter cannot be parsed as a long value: $.s == 1.5'],
    [
      { TimestampPath: '$.t' },
      { t: '2016-12-05T25:29:29' },
      'The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: $.t == 2016-12-05T25:29:29',
    ],
  ])('%j of %j names the invalid value', async (fields, input, cause) => {
    const { end } = await run(only({ Type: 'Wait', ...fields, End: true }), input)
    expect(end.cause).toBe(`An error occurred while executing the state 'Only' (entered at the event id #2). ${cause}`)
  })
})

test.each<[object, string]>([
  [{ InputPath: '$.none' }, "Invalid path '$.none' : No results for path: $['none']"],
  [{ OutputPath: '$.none' }, "Invalid path '$.none' : No results for path: $['none']"],
  [{ OutputPath: '$.no.such.path' }, "Invalid path '$.no.such.path' : Missing property in path $['no']"],
  [{ TimeoutSecondsPath: '$.none' }, "Invalid path '$.none' : No results for path: $['none']"],
])('%j without a value names the missing part', async (fields, message) => {
  const state = 'TimeoutSecondsPath' in fields ? direct : { Type: 'Pass' }
  const { end } = await run(only({ ...state, ...fields, End: true }), { a: 1 })
  const place = "An error occurred while executing the state 'Only' (entered at the event id #2)."
  expect(end).toMatchObject({ error: 'States.Runtime', cause: `${place} ${message}` })
})

test.each<[string, Json, Json]>([
  // Each argument is rounded separately, halves upwards, before the addition.
  ['States.MathAdd($.l, $.r)', { l: 1.49, r: 1.5 }, 3],
  ['States.MathAdd($.l, $.r)', { l: 1.5, r: 1.51 }, 4],
  ['States.MathAdd($.l, $.r)', { l: -1.49, r: -1.5 }, -2],
  ['States.MathAdd($.l, $.r)', { l: -1.5, r: -1.51 }, -3],
  ['States.MathAdd($.l, $.r)', { l: 2.5, r: 0 }, 3],
  ['States.MathAdd($.l, $.r)', { l: -2.5, r: 0 }, -2],
  ['States.MathAdd($.l, $.r)', { l: -0.5, r: 0.5 }, 1],
  ['States.MathAdd($.l, $.r)', { l: -0.5, r: 0 }, 0],
  // The text is split at each character of the delimiter. Empty pieces are dropped.
  ["States.StringSplit($, ',')", ' ', [' ']],
  ["States.StringSplit($, ',')", ', , ,', [' ', ' ']],
  ["States.StringSplit($, ',')", ',,,,', []],
  ["States.StringSplit($, '.+,=')", 'This.is+a,test=string', ['This', 'is', 'a', 'test', 'string']],
  ["States.StringSplit($, 'T\n')", 'split on T and \nnew line', ['split on ', ' and ', 'new line']],
  // A blank text gives null.
  ['States.StringToJson($)', '', null],
  ['States.StringToJson($)', ' ', null],
  ['States.StringToJson($)', '-0', 0],
  // Objects are printed as in Java.
  ["States.Format('a {}.', $)", { Arg1: 1, Arg2: [] }, 'a {Arg1=1, Arg2=[]}.'],
  [
    "States.Format('a {}.', $)",
    { in: { text: 'x', none: null }, list: [1.1, 'y', true] },
    'a {in={text=x, none=null}, list=[1.1, y, true]}.',
  ],
  ["States.Format('a {}.', $)", null, 'a null.'],
])('%s of %j is %j', async (text, input, value) => {
  expect((await interpret(pass({ Parameters: { 'value.$': text } }), input)).output).toEqual({ value })
})

test.each([
  `States.StringToJson('{"text":"An \\"escaped double quote\\" here"}')`,
  `States.Format('He said, \\"Hello, {}!\\"', 'Test \\"Name\\" Here')`,
])('%s is refused when the machine is created', (text) => {
  expect(() => parseDefinition(JSON.stringify(pass({ Parameters: { 'parsed.$': text } })), 'One')).toThrow(
    /^state machine One, state Only\.Parameters\.parsed\.\$: .* has an error at position/,
  )
})

test.each(['2016-12-05 21:29:29', '2016-12-05T21:29:29', '2016-13-05T21:29:29Z', '05-12-2016T21:29:29Z'])(
  'a Wait until %s is refused when the machine is created',
  (Timestamp) => {
    const definition = only({ Type: 'Wait', Timestamp, End: true })
    expect(() => parseDefinition(JSON.stringify(definition), 'One')).toThrow('state Only.Timestamp')
  },
)
