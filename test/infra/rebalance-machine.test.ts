// The machine of a rebalance sells before it buys, has the states of the contract and the promised transitions.
import { beforeAll, describe, expect, test } from 'vitest'
import { ErrorName, LambdaFault } from '../../core/contract/errors.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { policy } from '../../core/contract/policies.ts'
import { planInput, RunEnd, RunStep, settleRunInput } from '../../core/contract/runs.ts'
import { handlerOf, RebalanceState, StateMachine, Verb } from '../../core/contract/states.ts'
import { synthesizeTemplates, type Templates } from './assembly.ts'
import {
  definitionOf,
  faultRetries,
  type MachineDefinition,
  pathFor,
  type StateDefinition,
  waitsOf,
} from './definition.ts'

let templates: Templates
let definition: MachineDefinition
let convert: MachineDefinition
const stateOf = (name: string): StateDefinition => definition.States[name] ?? { Type: '' }
const legOf = (map: string, leg: string): StateDefinition => stateOf(map).ItemProcessor?.States[leg] ?? { Type: '' }

beforeAll(() => {
  templates = synthesizeTemplates()
  definition = definitionOf(templates.workflow, StateMachine.Rebalance)
  convert = definitionOf(templates.workflow, StateMachine.Convert)
})

test('the machine has exactly the states of the contract, including those of its legs', () => {
  const names = Object.entries(definition.States).flatMap(([name, state]) => [
    name,
    ...Object.keys(state.ItemProcessor?.States ?? {}),
  ])
  expect(names.sort()).toEqual(Object.values(RebalanceState).sort())
})

describe('transitions', () => {
  /**
   * States that a run enters with these numbers of legs in its first and its last phase, including those of children
   * (`ofLeg`).
   */
  function transitions(outcome: string, first: number, last: number): number {
    const ofLeg = 1 + pathFor(convert, ConvertEnd.Filled).length
    const path = pathFor(definition, outcome)
    const legsOf = (name: string) =>
      name === RebalanceState.FirstLegs ? first : name === RebalanceState.LastLegs ? last : 0
    return path.reduce((sum, name) => sum + 1 + ofLeg * legsOf(name), 0)
  }

  test('a run with nothing to do takes three', () => {
    expect(pathFor(definition, RunEnd.NothingToDo)).toEqual(['PlanRebalance', 'PlanOutcome', 'Ended'])
  })

  test.each([1, 2, 10, 200])('a run of %i legs that fill at placement takes at most 4 + 6n', (legs) => {
    expect(transitions(RunStep.Last, 0, legs)).toBe(4 + 5 * legs)
    for (let first = 1; first < legs; first += 1) {
      expect(transitions(RunStep.First, first, legs - first)).toBe(6 + 5 * legs)
      expect(6 + 5 * legs).toBeLessThanOrEqual(4 + 6 * legs)
    }
  })
})

describe('the course of a run', () => {
  test('sells run first, and buys are planned again from the proceeds', () => {
    expect(pathFor(definition, RunStep.First)).toEqual([
      'PlanRebalance',
      'PlanOutcome',
      'FirstLegs',
      'PlanAgain',
      'LastLegs',
      'SettleRun',
    ])
    expect(stateOf('PlanAgain').Resource).toBe(stateOf('PlanRebalance').Resource)
    const run = { execution: 'a', startedAt: '2026-01-01T00:00:00Z', enteredAt: '2026-01-01T00:00:00Z', request: {} }
    expect(planInput.parse({ ...run, phase: stateOf('PlanAgain').Parameters?.phase }).phase).toBe(2)
  })

  test('every end of a plan ends the run with that plan’s answer as its result', () => {
    for (const outcome of [...Object.values(RunEnd), 'NEVER_HEARD_OF']) {
      expect(stateOf(pathFor(definition, outcome).at(-1) ?? ''), outcome).toEqual({ Type: 'Succeed' })
    }
  })

  test('a run that waits for its turn returns to the plan, without a phase', () => {
    const wait = stateOf('PlanOutcome').Choices?.find((rule) => rule.StringEquals === RunStep.Wait)?.Next
    expect(wait).toBe('WaitForTurn')
    expect(stateOf('WaitForTurn')).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'PlanRebalance' })
    expect(stateOf('PlanRebalance').Parameters).toEqual({
      'execution.$': '$$.Execution.Name',
      'startedAt.$': '$$.Execution.StartTime',
      'request.$': '$$.Execution.Input',
    })
  })

  test('a run whose legs were all done before is settled', () => {
    expect(pathFor(definition, RunStep.Settle)).toEqual(['PlanRebalance', 'PlanOutcome', 'SettleRun'])
  })
})

describe.each([
  ['FirstLegs', 'FirstLeg', 'FirstLegBroke'],
  ['LastLegs', 'LastLeg', 'LastLegBroke'],
])('%s', (map, leg, legBroke) => {
  test('legs run five at once, and leave the state unchanged', () => {
    expect(stateOf(map)).toMatchObject({ Type: 'Map', ItemsPath: '$.legs', MaxConcurrency: 5, ResultPath: null })
  })

  test('legs are executions of Convert under the names of their intents, with the exact request', () => {
    const machines = templates.workflow.findResources('AWS::StepFunctions::StateMachine', {
      Properties: { StateMachineName: StateMachine.Convert },
    })
    expect(legOf(map, leg).Resource).toMatch(/:states:::states:startExecution\.sync:2$/)
    expect(legOf(map, leg).Parameters).toEqual({
      StateMachineArn: Object.keys(machines)[0],
      'Name.$': '$.name',
      'Input.$': 'States.JsonMerge($.request, $.onBehalf, false)',
    })
  })

  test('legs that fail stop no other leg', () => {
    expect(legOf(map, leg).Catch).toEqual([{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: legBroke }])
    expect(legOf(map, legBroke)).toEqual({ Type: 'Pass', End: true })
  })

  test('legs are started again after transient faults, and never because they ended badly', () => {
    const [retry, ...others] = legOf(map, leg).Retry ?? []
    expect(others).toEqual([])
    expect(retry && waitsOf(retry)).toBe(31)
    expect(retry?.ErrorEquals.every((name) => name.startsWith('StepFunctions.'))).toBe(true)
  })

  test("outlast their own machine, and the run outlasts them by more than its plan's life and its wait", () => {
    expect(legOf(map, leg).TimeoutSeconds).toBeGreaterThan(convert.TimeoutSeconds)
    expect(definition.TimeoutSeconds).toBeGreaterThan((legOf(map, leg).TimeoutSeconds ?? 0) + 2 * 24 * 3600)
  })
})

describe('faults', () => {
  test.each([
    ['PlanRebalance', 243],
    ['PlanAgain', 243],
    ['SettleRun', 362],
  ])(
    '%s is retried by one policy, not all at the same moment, with waits of at most %i s in total',
    (name, seconds) => {
      const retries = faultRetries(stateOf(name))
      expect(retries).toMatchObject([{ JitterStrategy: 'FULL', MaxDelaySeconds: 60 }])
      expect(retries.map((retry) => retry.ErrorEquals)).toEqual([[ErrorName.Transient, ...LambdaFault]])
      expect(retries.map(waitsOf)).toEqual([seconds])
    },
  )

  test('the waits of a repeated plan leave most of a run’s life to its legs', () => {
    const { runLifeSeconds } = policy.parse({ kind: 'rebalance', weights: { BTC: '1' } })
    expect(faultRetries(stateOf('PlanAgain')).map((retry) => waitsOf(retry) < runLifeSeconds / 2)).toEqual([true])
  })

  test('whatever fails for good, the run is settled, and the caught fault is reported', () => {
    for (const name of ['PlanRebalance', 'FirstLegs', 'PlanAgain', 'LastLegs']) {
      expect(stateOf(name).Catch, name).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'SettleBrokenRun' }])
    }
    expect(stateOf('SettleBrokenRun').Parameters).toEqual(stateOf('SettleRun').Parameters)
    expect(stateOf('SettleRun').Parameters).toEqual({
      'execution.$': '$$.Execution.Name',
      'startedAt.$': '$$.Execution.StartTime',
      'enteredAt.$': '$$.State.EnteredTime',
      'request.$': '$$.Execution.Input',
      'fault.$': '$',
    })
  })

  test('SettleRun treats a caught fault as a fault, and the answer of a plan as no fault', () => {
    const run = { execution: 'a', startedAt: '2026-01-01T00:00:00Z', enteredAt: '2026-01-01T00:00:00Z', request: {} }
    const faultIn = (state: unknown) => settleRunInput.parse({ ...run, fault: state }).fault
    expect(faultIn({ Error: 'States.Timeout' })).toEqual({ Error: 'States.Timeout', Cause: '' })
    expect(faultIn({ outcome: 'SETTLE', runId: 'a', legs: [], phase: 1 })).toBeUndefined()
  })

  test('a run that an own fault stopped fails its execution, with its result; any other run ends', () => {
    expect(stateOf('SettleBrokenRun').Next).toBe('BrokenOutcome')
    expect(stateOf('BrokenOutcome')).toMatchObject({
      Choices: [{ Variable: '$.outcome', StringEquals: 'OWN_FAULT', Next: 'OwnFault' }],
      Default: 'Ended',
    })
    expect(stateOf('OwnFault')).toEqual({ Type: 'Fail', Error: 'OWN_FAULT', CausePath: 'States.JsonToString($)' })
  })

  test('a run without a fault takes no additional transition', () => {
    expect(stateOf('SettleRun').End).toBe(true)
  })

  test('when even that fails, the execution fails, which alarms', () => {
    for (const name of ['SettleRun', 'SettleBrokenRun'])
      expect(stateOf(name).Catch).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'Unsettled' }])
    expect(stateOf('Unsettled')).toEqual({
      Type: 'Fail',
      Error: RunEnd.NeedsAttention,
      CausePath: 'States.JsonToString($)',
    })
  })
})

test('each step runs the function of its name, at least until its time-out', () => {
  const functions = templates.workflow.findResources('AWS::Lambda::Function')
  const verbs = { PlanRebalance: Verb.PlanRebalance, PlanAgain: Verb.PlanRebalance, SettleRun: Verb.SettleRun }
  for (const [name, verb] of Object.entries(verbs)) {
    const lambda = functions[stateOf(name).Resource ?? '']
    expect(lambda?.Properties.Handler, name).toBe(handlerOf(verb))
    expect(stateOf(name).TimeoutSeconds, name).toBeGreaterThan(lambda?.Properties.Timeout)
  }
})
