// A state machine that uses an unsupported or wrong field is refused by machine, state and field.
import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../../states/definition-store.ts'
import { startProcess, temporaryDirectory } from './executed.ts'
import { functionArn, only } from './interpreted.ts'

const parse = (definition: object) => parseDefinition(JSON.stringify(definition), 'Convert')
const task = (fields: object) => only({ Type: 'Task', Resource: functionArn('work'), End: true, ...fields })
const inner = { StartAt: 'In', States: { In: { Type: 'Succeed' } } }
const map = (processor: object) => only({ Type: 'Map', ItemProcessor: { ...inner, ...processor }, End: true })
const named = (name: string) => ({ StartAt: name, States: { [name]: { Type: 'Succeed' } } })
const retrier = (fields: object) => task({ Retry: [{ ErrorEquals: ['A'], ...fields }] })

describe('a definition is refused, with machine, state and field, that', () => {
  test.each<[string, object, string]>([
    ['uses JSONata', { ...only({ Type: 'Succeed' }), QueryLanguage: 'JSONata' }, '.QueryLanguage: only JSONPath'],
    ['uses JSONata in a state', only({ Type: 'Succeed', QueryLanguage: 'JSONata' }), 'Only.QueryLanguage'],
    ['uses Assign', only({ Type: 'Pass', Assign: { x: 1 }, End: true }), 'Only.Assign'],
    ['uses Output', only({ Type: 'Succeed', Output: '{% 1 %}' }), 'Only.Output'],
    ['has a Map in distributed mode', map({ ProcessorConfig: { Mode: 'DISTRIBUTED' } }), 'ProcessorConfig.Mode'],
    ['has a Map with an Iterator', only({ Type: 'Map', Iterator: inner, End: true }), 'Only.ItemProcessor'],
    [
      'has a Map whose StartAt does not exist',
      map({ StartAt: 'Gone' }),
      'ItemProcessor.StartAt: is not the name of a state: Gone',
    ],
    ['gives two states a name', map({ StartAt: 'Only', States: { Only: { Type: 'Succeed' } } }), 'state Only: another'],
    [
      'has a Map that tolerates failures',
      only({ Type: 'Map', ItemProcessor: inner, ToleratedFailureCount: 1, End: true }),
      'Only.ToleratedFailureCount',
    ],
    ['has a Parallel', only({ Type: 'Parallel', Branches: [], End: true }), 'Only.Type: Parallel is not supported'],
    ['has an unknown type', only({ Type: 'Sleep' }), 'Only.Type: Sleep is not supported'],
    [
      'waits for a token of a message',
      task({ Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken' }),
      'Only.Resource',
    ],
    [
      'starts another machine without a name for it',
      task({ Resource: 'arn:aws:states:::states:startExecution.sync:2', Parameters: { Name: 'n' } }),
      'Only.Parameters.StateMachineArn: is missing',
    ],
    [
      'starts another machine by the older integration',
      task({ Resource: 'arn:aws:states:::states:startExecution.sync', Parameters: { StateMachineArn: 'm' } }),
      'Only.Resource',
    ],
    ['calls an alias of a function', task({ Resource: `${functionArn('work')}:live` }), 'Only.Resource'],
    ['has a heartbeat', task({ HeartbeatSeconds: 5 }), 'Only.HeartbeatSeconds'],
    ['gives a Task a Result', task({ Result: 1 }), 'Only.Result'],
    ['gives a Wait a ResultPath', only({ Type: 'Wait', Seconds: 1, ResultPath: '$', End: true }), 'Only.ResultPath'],
    ['gives a Fail an InputPath', only({ Type: 'Fail', InputPath: '$' }), 'Only.InputPath'],
    ['has both Error and ErrorPath', only({ Type: 'Fail', Error: 'E', ErrorPath: '$.e' }), 'Only.ErrorPath'],
    ['has both Next and End', task({ Next: 'Only' }), 'Only: exactly one of Next'],
    ['has neither Next nor End', task({ End: false }), 'Only: exactly one of Next'],
    ['has both End: false and Next', task({ End: false, Next: 'Only' }), 'Only: exactly one of Next'],
    ['has a Next that does not exist', task({ End: undefined, Next: 'Gone' }), 'leads to Gone'],
    [
      'has a StartAt that does not exist',
      { StartAt: 'Gone', States: {} },
      '.StartAt: is not the name of a state: Gone',
    ],
    [
      'has a state that nothing leads to',
      { StartAt: 'A', States: { A: { Type: 'Succeed' }, B: { Type: 'Succeed' } } },
      'state B: no transition leads here',
    ],
    ['has no end', only({ Type: 'Pass', Next: 'Only' }), 'state machine Convert: no state ends it'],
    [
      'has no end within a Map',
      map({ States: { In: { Type: 'Choice', Choices: [{ Variable: '$', IsNull: true, Next: 'In' }] } } }),
      'ItemProcessor: no state ends it',
    ],
    ['has a state without a name', { StartAt: '', States: { '': { Type: 'Succeed' } } }, '1 to 80 characters'],
    ['has a state with a long name', named('n'.repeat(81)), '1 to 80 characters'],
    ['has a state with a line break in its name', named('a\nb'), 'no control characters'],
    [
      'waits by the context object',
      only({ Type: 'Wait', SecondsPath: '$$.Execution.RedriveCount', End: true }),
      'Only.SecondsPath: must lead into the data',
    ],
    ['times out by the context object', task({ TimeoutSecondsPath: '$$.State.RetryCount' }), 'Only.TimeoutSecondsPath'],
    ['has a number as text', only({ Type: 'Wait', Seconds: '5', End: true }), 'Only.Seconds: must be a number'],
    ['has a comment that is not text', only({ Type: 'Succeed', Comment: 1 }), 'Only.Comment: must be a string'],
    ['has a comment of a retrier that is not text', retrier({ Comment: {} }), 'Retry[0].Comment: must be a string'],
    [
      'is longer than AWS accepts',
      { ...only({ Type: 'Succeed' }), Comment: 'x'.repeat(1_048_576) },
      'AWS accepts 1048576',
    ],
    [
      'retries an error that is unknown to Step Functions',
      retrier({ ErrorEquals: ['States.TimeOut'] }),
      'States.TimeOut is not an error of Step Functions',
    ],
    [
      'has a list as its cause',
      only({ Type: 'Fail', CausePath: 'States.Array($)' }),
      'Only.CausePath: only States.Format, States.JsonToString, States.ArrayGetItem',
    ],
    ['has a wildcard in a path', task({ InputPath: '$.a[*]' }), 'Only.InputPath'],
    ['has a filter in a path', task({ Parameters: { 'x.$': '$.a[?(@.b)]' } }), 'Only.Parameters.x.$'],
    ['has a slice in a path', task({ OutputPath: '$.a[0:2]' }), 'Only.OutputPath'],
    ['descends in a path', task({ ResultSelector: { 'x.$': '$..a' } }), 'Only.ResultSelector.x.$'],
    ['has a path without $', task({ Parameters: { 'x.$': 'a.b' } }), 'Only.Parameters.x.$'],
    ['has a computed field that is not text', task({ Parameters: { 'x.$': 1 } }), 'Only.Parameters.x.$'],
    ['gives a field twice', task({ Parameters: { x: 1, 'x.$': '$' } }), 'Only.Parameters.x'],
    ['has Parameters that are not an object', task({ Parameters: [1] }), 'Only.Parameters'],
    ['writes to the context object', task({ ResultPath: '$$.x' }), 'Only.ResultPath'],
    ['uses an unknown intrinsic', task({ Parameters: { 'x.$': 'States.Hash($, "SHA-1")' } }), 'Only.Parameters.x.$'],
    ['waits in two ways', only({ Type: 'Wait', Seconds: 1, SecondsPath: '$.s', End: true }), 'exactly one of Seconds'],
    ['waits until an invalid time', only({ Type: 'Wait', Timestamp: 'noon', End: true }), 'Only.Timestamp'],
    ['waits a part of a second', only({ Type: 'Wait', Seconds: 0.5, End: true }), 'Only.Seconds'],
    ['retries with a rate under 1', retrier({ BackoffRate: 0.5 }), 'Retry[0].BackoffRate'],
    ['retries after zero seconds', retrier({ IntervalSeconds: 0 }), 'Retry[0].IntervalSeconds'],
    [
      'retries with a maximum delay that is not above the interval',
      retrier({ IntervalSeconds: 5, MaxDelaySeconds: 5 }),
      'MaxDelaySeconds',
    ],
    ['retries with another jitter', retrier({ JitterStrategy: 'SOME' }), 'Retry[0].JitterStrategy'],
    ['retries nothing', retrier({ ErrorEquals: [] }), 'Retry[0].ErrorEquals'],
    ['retries States.ALL beside others', retrier({ ErrorEquals: ['States.ALL', 'B'] }), 'must stand alone'],
    [
      'retries States.ALL before others',
      task({ Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['B'] }] }),
      'must stand alone and in the last',
    ],
    [
      'catches to a state that does not exist',
      task({ Catch: [{ ErrorEquals: ['A'], Next: 'Gone' }] }),
      'leads to Gone',
    ],
    ['chooses nothing', only({ Type: 'Choice', Choices: [] }), 'Only.Choices'],
    [
      'invokes with more than a function and a payload',
      task({ Resource: 'arn:aws:states:::lambda:invoke', Parameters: { FunctionName: 'f', InvocationType: 'Event' } }),
      'Parameters.InvocationType',
    ],
  ])('%s', (_name, definition, message) => {
    expect(() => parse(definition)).toThrow(expect.objectContaining({ name: 'Refusal' }))
    expect(() => parse(definition)).toThrow(message)
    expect(() => parse(definition)).toThrow('state machine Convert')
  })
})

test('a definition that is not JSON is refused', () => {
  expect(() => parseDefinition('{', 'Convert')).toThrow('state machine Convert: its definition is not JSON')
})

test.each(['a b', 'a*', 'n'.repeat(81)])('a machine of the name %s is refused', (name) => {
  const machines = { [name]: only({ Type: 'Succeed' }) }
  expect(() => startProcess(temporaryDirectory(), { machines })).toThrow(`state machine ${name}: its name must have`)
})
