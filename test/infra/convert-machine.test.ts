// The machine of a conversion has the states of the contract, the promised transitions, and an end for every answer.
import { beforeAll, describe, expect, test } from 'vitest'
import { ErrorName, LambdaFault } from '../../core/contract/errors.ts'
import { ConvertEnd, ConvertStep } from '../../core/contract/outcomes.ts'
import { ConvertState, handlerOf, StateMachine, Verb } from '../../core/contract/states.ts'
import { timing } from '../../core/contract/timing.ts'
import { synthesizeTemplates, type Templates, treasury } from './assembly.ts'
import {
  definitionOf,
  faultRetries,
  type MachineDefinition,
  pathFor,
  type StateDefinition,
  successorsOf,
  waitsOf,
} from './definition.ts'

let templates: Templates
let definition: MachineDefinition
let states: [string, StateDefinition][]
const ofType = (type: string) => states.filter(([, state]) => state.Type === type)
const machineOf = (from: Templates) =>
  Object.values(from.workflow.findResources('AWS::StepFunctions::StateMachine'))[0]?.Properties

beforeAll(() => {
  templates = synthesizeTemplates()
  definition = definitionOf(templates.workflow, StateMachine.Convert)
  states = Object.entries(definition.States)
})

test('the machine has exactly the states of the contract', () => {
  expect(Object.keys(definition.States).sort()).toEqual(Object.values(ConvertState).sort())
})

test('every state can be reached from the start', () => {
  const reached = new Set([definition.StartAt])
  for (const name of reached) {
    for (const next of successorsOf(definition.States[name] ?? { Type: '' })) reached.add(next)
  }
  expect([...reached].sort()).toEqual(Object.keys(definition.States).sort())
})

test('a run that is filled at placement takes five transitions, including the start', () => {
  const path = pathFor(definition, ConvertEnd.Filled)
  expect(path).toEqual(['Quote', 'Order', 'OrderOutcome', 'Filled'])
  expect(1 + path.length).toBeLessThanOrEqual(5)
})

test.each([
  [StateMachine.Convert, ['Quote', 'Order', 'OrderOutcome', 'WaitToPoll', 'PollOrder', 'PollOutcome', 'Filled']],
  [
    StateMachine.Withdraw,
    ['CheckWithdrawal', 'Withdraw', 'WithdrawOutcome', 'WaitToPoll', 'PollWithdrawal', 'PollOutcome', 'Completed'],
  ],
])(
  'a run of %s that settles at the poll after one wait takes eight transitions, including the start',
  (machine, path) => {
    const { StartAt, States } = definitionOf(templates.workflow, machine)
    expect(StartAt).toBe(path[0])
    for (const [at, next] of path.slice(1).entries())
      expect(successorsOf(States[path[at] ?? ''] ?? { Type: '' })).toContain(next)
    expect(1 + path.length).toBe(8)
  },
)

describe('ends', () => {
  const calm = [
    ConvertEnd.Filled,
    ConvertEnd.PriceRefused,
    ConvertEnd.ExpiredOut,
    ConvertEnd.Rejected,
    ConvertEnd.Failed,
  ]
  test.each(calm)('%s ends a run as succeeded', (outcome) => {
    expect(definition.States[pathFor(definition, outcome).at(-1) ?? '']).toEqual({ Type: 'Succeed' })
  })

  test.each([ConvertEnd.Stuck, ConvertEnd.NeedsAttention])(
    '%s ends a run as failed, with its name as error and the result as cause',
    (outcome) => {
      expect(definition.States[pathFor(definition, outcome).at(-1) ?? '']).toEqual({
        Type: 'Fail',
        Error: outcome,
        CausePath: 'States.JsonToString($)',
      })
    },
  )

  test('an unknown outcome needs attention, with the answer as evidence', () => {
    expect(pathFor(definition, 'NEVER_HEARD_OF')).toEqual([
      'Quote',
      'Order',
      'OrderOutcome',
      'Unconcluded',
      'NeedsAttention',
    ])
    expect(definition.States.Unconcluded?.Parameters).toMatchObject({
      outcome: ConvertEnd.NeedsAttention,
      'intentId.$': '$$.Execution.Name',
      'evidence.$': '$',
    })
  })

  test('each Choice knows every end', () => {
    for (const [name, state] of ofType('Choice')) {
      const known = state.Choices?.map((choice) => choice.StringEquals)
      expect(known, name).toEqual(expect.arrayContaining(Object.values(ConvertEnd)))
      expect(state.Choices?.every((choice) => choice.Variable === '$.outcome')).toBe(true)
      expect(state.Default, name).toBe(ConvertState.Unconcluded)
    }
    expect(
      ofType('Choice')
        .map(([name]) => name)
        .sort(),
    ).toEqual(['ConcludeOutcome', 'OrderOutcome', 'PollOutcome'])
  })
})

describe('transitions to other states', () => {
  const nextOf = (choice: string, outcome: string) =>
    definition.States[choice]?.Choices?.find((rule) => rule.StringEquals === outcome)?.Next

  test('an order under way that Order has checked is checked again after a wait', () => {
    expect(nextOf('OrderOutcome', ConvertStep.Processing)).toBe('WaitToPoll')
    expect(nextOf('PollOutcome', ConvertStep.Processing)).toBe('WaitToPoll')
    expect(definition.States.WaitToPoll).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'PollOrder' })
  })

  test('after an expired quote another is requested, with the same input of the run', () => {
    expect(nextOf('OrderOutcome', ConvertStep.QuoteExpired)).toBe('Quote')
    expect(definition.States.Quote?.Parameters).toEqual({
      'execution.$': '$$.Execution.Name',
      'startedAt.$': '$$.Execution.StartTime',
      'request.$': '$$.Execution.Input',
      'said.$': '$',
    })
  })

  test('an uncertain order waits for its fence, and the step that sent it looks it up', () => {
    expect(nextOf('OrderOutcome', ConvertStep.Uncertain)).toBe('WaitForFence')
    expect(definition.States.WaitForFence).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Order' })
    expect(definition.States.Order?.Parameters).toEqual({ 'request.$': '$$.Execution.Input', 'said.$': '$' })
  })

  test('an order held by a halt waits its turn, and the step that would send it checks again', () => {
    expect(nextOf('OrderOutcome', ConvertStep.Held)).toBe('WaitForTurn')
    expect(definition.States.WaitForTurn).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Order' })
  })

  test.each([
    [StateMachine.Convert, 'OrderOutcome', 'convert'],
    [StateMachine.Withdraw, 'WithdrawOutcome', 'withdraw'],
  ])(
    'a wait for people in %s is announced once, and takes as long if the announcement fails',
    (machine, choice, kind) => {
      const { States } = definitionOf(templates.workflow, machine)
      const ways = (States[choice]?.Choices ?? []).filter(({ Next }) => Next === 'Announce')
      expect(ways).toEqual([{ Variable: '$.outcome', StringEquals: 'AWAITING_APPROVAL', Next: 'Announce' }])
      expect(States.Announce).toMatchObject({
        Next: 'WaitForTurn',
        // The wait and the next step use the answer of the step before.
        ResultPath: null,
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'WaitForTurn' }],
      })
      expect(States.Announce?.Parameters).toEqual({
        awaits: {
          kind,
          'execution.$': '$$.Execution.Name',
          'executionArn.$': '$$.Execution.Id',
          'enteredAt.$': '$$.State.EnteredTime',
          'request.$': '$$.Execution.Input',
          'said.$': '$',
        },
      })
      expect(faultRetries(States.Announce ?? { Type: 'Task' }).map(waitsOf)).toEqual([31])
    },
  )

  test('a poll carries the count of waits', () => {
    expect(definition.States.PollOrder?.Parameters).toEqual({
      'intentId.$': '$.intentId',
      'waits.$': '$.waits',
    })
  })
})

describe('faults', () => {
  test.each([
    ['Quote', 7],
    ['Order', 31],
    ['PollOrder', 122],
    ['Conclude', 122],
  ])('%s is retried by one policy, with waits of at most %i s in total', (name, seconds) => {
    const retry = faultRetries(definition.States[name] ?? { Type: 'Task' }).filter(
      ({ ErrorEquals }) => !ErrorEquals.includes(ErrorName.KeyFault),
    )
    expect(retry).toHaveLength(1)
    expect(retry[0]?.ErrorEquals).toEqual([ErrorName.Transient, ...LambdaFault])
    expect(retry.map(waitsOf)).toEqual([seconds])
  })

  test.each([StateMachine.Convert, StateMachine.Withdraw, StateMachine.Rebalance, StateMachine.Sweep])(
    'every step of %s waits for its turn at the service, no two runs at the same moment, for half an hour at most',
    (machine) => {
      const tasks = Object.entries(definitionOf(templates.workflow, machine).States).filter(
        ([, { Type, Parameters }]) => Type === 'Task' && Parameters?.FunctionName === undefined,
      )
      expect(tasks.length).toBeGreaterThan(1)
      for (const [name, { Retry = [] }] of tasks) {
        const turns = Retry.filter(({ ErrorEquals }) => ErrorEquals.includes(ErrorName.RateLimited))
        expect(turns, name).toMatchObject([{ ErrorEquals: [ErrorName.RateLimited], JitterStrategy: 'FULL' }])
        expect(turns.map(waitsOf), name).toEqual([1710])
      }
    },
  )

  test.each([StateMachine.Convert, StateMachine.Withdraw])(
    'every step of %s that asks the service waits for the right key for longer than an intent lives',
    (machine) => {
      const steps = definitionOf(templates.workflow, machine).States
      const waits = Object.entries(steps).flatMap(([name, { Retry = [] }]) =>
        Retry.filter(({ ErrorEquals }) => ErrorEquals.includes(ErrorName.KeyFault)).map((each) => [
          name,
          waitsOf(each),
        ]),
      )
      const asking = {
        [StateMachine.Convert]: ['Quote', 'Order', 'PollOrder'],
        [StateMachine.Withdraw]: ['CheckWithdrawal', 'Withdraw', 'PollWithdrawal'],
      }[machine]
      expect(waits).toEqual(expect.arrayContaining(asking.map((name) => [name, 1365])))
      expect(waits).toHaveLength(asking.length)
      expect(timing.parse({}).intentLifeSeconds).toBeLessThan(1365)
    },
  )

  test('a step that fails for good is concluded from the journal', () => {
    for (const name of ['Quote', 'Order', 'PollOrder']) {
      expect(definition.States[name]?.Catch, name).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'Conclude' }])
    }
    expect(definition.States.Conclude?.Parameters).toEqual({
      'execution.$': '$$.Execution.Name',
      'startedAt.$': '$$.Execution.StartTime',
      'request.$': '$$.Execution.Input',
      kind: 'convert',
      'fault.$': '$',
    })
  })

  test('when even that fails, a person is called', () => {
    expect(definition.States.Conclude?.Catch).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'Unconcluded' }])
    expect(definition.States.Unconcluded?.Next).toBe('NeedsAttention')
  })

  test('only Announce has a ResultPath, which is null: "$" in one names a key in some interpreters', () => {
    for (const [name, state] of states) {
      const expected = name === 'Announce' ? null : undefined
      expect(state.ResultPath, name).toBe(expected)
      for (const catcher of state.Catch ?? []) expect(catcher.ResultPath, name).toBe(expected)
    }
  })
})

test('each step runs the function of its name, at least until its time-out', () => {
  const functions = templates.workflow.findResources('AWS::Lambda::Function')
  const tasks = Object.fromEntries(ofType('Task'))
  const verbs = { Quote: Verb.Quote, Order: Verb.Order, PollOrder: Verb.PollOrder, Conclude: Verb.Conclude }
  expect(Object.keys(tasks).sort()).toEqual([...Object.keys(verbs), 'Announce'].sort())
  expect(tasks.Announce?.Resource).toContain(':function:sluice-announce')
  for (const [name, verb] of Object.entries(verbs)) {
    const lambda = functions[tasks[name]?.Resource ?? '']
    expect(lambda?.Properties.Handler, name).toBe(handlerOf(verb))
    expect(tasks[name]?.TimeoutSeconds, name).toBeGreaterThan(lambda?.Properties.Timeout)
  }
})

test('Convert is a Standard machine with the name in the contract, and its log leaves execution data out', () => {
  expect(machineOf(templates)).toMatchObject({
    StateMachineName: StateMachine.Convert,
    StateMachineType: 'STANDARD',
    LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
    TracingConfiguration: { Enabled: true },
  })
})

test('Convert uses only JSONPath as query language', () => {
  const text = JSON.stringify(definition)
  for (const word of ['QueryLanguage', 'Assign', '{%']) expect(text).not.toContain(word)
})

describe("the upper bound of a run's time", () => {
  test('is two days with the defaults', () => {
    expect(definition.TimeoutSeconds).toBe(172_800)
  })

  test('grows with the waits that treasury.json allows', () => {
    const timing = { ...treasury.timing, pollWaits: 500, pollLongestWaitSeconds: 3600 }
    const patient = definitionOf(synthesizeTemplates({ timing }).workflow, StateMachine.Convert)
    expect(patient.TimeoutSeconds).toBeGreaterThan(500 * 3600)
  })
})
