// The machine of a sweep runs its phases and legs in order, with the states of the contract and the promised transitions.
import { beforeAll, describe, expect, test } from 'vitest'
import { ErrorName, LambdaFault } from '../../core/contract/errors.ts'
import { MOST_PHASES, planInput, RunEnd, RunStep } from '../../core/contract/runs.ts'
import { handlerOf, StateMachine, SweepState, Verb } from '../../core/contract/states.ts'
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
const stateOf = (name: string): StateDefinition => definition.States[name] ?? { Type: '' }
const legOf = (map: string, leg: string): StateDefinition => stateOf(map).ItemProcessor?.States[leg] ?? { Type: '' }

beforeAll(() => {
  templates = synthesizeTemplates()
  definition = definitionOf(templates.workflow, StateMachine.Sweep)
})

test('the machine has exactly the states of the contract, including those of its legs', () => {
  const names = Object.entries(definition.States).flatMap(([name, state]) => [
    name,
    ...Object.keys(state.ItemProcessor?.States ?? {}),
  ])
  expect(names.sort()).toEqual(Object.values(SweepState).sort())
})

describe('the course of a run', () => {
  test('with nothing to do takes three transitions, and the plan’s answer is the result', () => {
    for (const outcome of [...Object.values(RunEnd), 'NEVER_HEARD_OF']) {
      expect(pathFor(definition, outcome), outcome).toEqual(['PlanSweep', 'PlanOutcome', 'Ended'])
    }
    expect(stateOf('Ended')).toEqual({ Type: 'Succeed' })
  })

  test('returns to the plan after the legs of a phase, and is settled when there are no more', () => {
    const nextOf = (outcome: string) =>
      stateOf('PlanOutcome').Choices?.find((rule) => rule.StringEquals === outcome)?.Next
    expect(nextOf(RunStep.Convert)).toBe('ConvertLegs')
    expect(nextOf(RunStep.Withdraw)).toBe('WithdrawLegs')
    expect(stateOf('ConvertLegs').Next).toBe('PlanSweep')
    expect(stateOf('WithdrawLegs').Next).toBe('PlanSweep')
  })

  test('is settled again while legs of a long run are left to read, also after a fault', () => {
    expect(stateOf('SettleRun').Next).toBe('PlanOutcome')
    const nextOf = (choice: string, outcome: string) =>
      stateOf(choice).Choices?.find((rule) => rule.StringEquals === outcome)?.Next ?? stateOf(choice).Default
    expect(nextOf('PlanOutcome', RunStep.Settle)).toBe('SettleRun')
    expect(nextOf('BrokenOutcome', RunStep.Settle)).toBe('SettleBrokenRun')
    for (const outcome of [RunEnd.Settled, RunEnd.NeedsAttention]) {
      expect(nextOf('PlanOutcome', outcome)).toBe('Ended')
      expect(nextOf('BrokenOutcome', outcome)).toBe('Ended')
    }
  })

  test('that waits for its turn returns to the plan', () => {
    const wait = stateOf('PlanOutcome').Choices?.find((rule) => rule.StringEquals === RunStep.Wait)?.Next
    expect(wait).toBe('WaitForTurn')
    expect(stateOf('WaitForTurn')).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'PlanSweep' })
  })

  test('asks for the first phase at its start, again after a wait, for the next after each, and for none after the last', () => {
    expect(stateOf('PlanSweep').Parameters).toMatchObject({ 'phase.$': '$', 'request.$': '$$.Execution.Input' })
    const run = { execution: 'a', startedAt: '2026-01-01T00:00:00Z', request: {} }
    const phaseAfter = (state: unknown) => planInput.safeParse({ ...run, phase: state })
    expect(phaseAfter({ policy: 'daily', shadow: true }).data?.phase).toBeUndefined()
    for (let phase = 1; phase < MOST_PHASES; phase += 1) {
      expect(phaseAfter({ outcome: 'CONVERT', runId: 'a', legs: [], phase }).data?.phase).toBe(phase + 1)
    }
    expect(phaseAfter({ outcome: RunStep.Wait, runId: 'a', legs: [], phase: 1, waitSeconds: 15 }).data?.phase).toBe(1)
    expect(phaseAfter({ outcome: 'WITHDRAW', runId: 'a', legs: [], phase: MOST_PHASES }).success).toBe(false)
  })
})

describe.each([
  ['ConvertLegs', 'ConvertLeg', 'ConvertLegBroke', StateMachine.Convert],
  ['WithdrawLegs', 'WithdrawLeg', 'WithdrawLegBroke', StateMachine.Withdraw],
])('%s', (map, leg, legBroke, child) => {
  test('legs run five at once, and leave the state unchanged, because it holds the phase', () => {
    expect(stateOf(map)).toMatchObject({ Type: 'Map', ItemsPath: '$.legs', MaxConcurrency: 5, ResultPath: null })
  })

  test('legs are executions of the machine of their kind, and their Tasks wait longer than its time-out', () => {
    const machines = templates.workflow.findResources('AWS::StepFunctions::StateMachine', {
      Properties: { StateMachineName: child },
    })
    expect(legOf(map, leg).Parameters).toEqual({
      StateMachineArn: Object.keys(machines)[0],
      'Name.$': '$.name',
      'Input.$': 'States.JsonMerge($.request, $.onBehalf, false)',
    })
    const ownTimeout = definitionOf(templates.workflow, child).TimeoutSeconds
    expect(legOf(map, leg).TimeoutSeconds).toBeGreaterThan(ownTimeout)
    expect(definition.TimeoutSeconds).toBeGreaterThan((legOf(map, leg).TimeoutSeconds ?? 0) + 2 * 24 * 3600)
  })

  test('legs that fail stop no other leg', () => {
    expect(legOf(map, leg).Catch).toEqual([{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: legBroke }])
    expect(legOf(map, leg).Retry?.map(waitsOf)).toEqual([31])
    expect(legOf(map, legBroke)).toEqual({ Type: 'Pass', End: true })
  })
})

test('whatever fails for good, the run is settled; when that fails, the execution fails, which alarms', () => {
  for (const name of ['PlanSweep', 'ConvertLegs', 'WithdrawLegs']) {
    expect(stateOf(name).Catch, name).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'SettleBrokenRun' }])
  }
  expect(stateOf('BrokenOutcome')).toMatchObject({
    Choices: [{ Variable: '$.outcome', StringEquals: 'OWN_FAULT', Next: 'OwnFault' }, { StringEquals: RunStep.Settle }],
    Default: 'Ended',
  })
  expect(stateOf('OwnFault')).toMatchObject({ Type: 'Fail', Error: RunEnd.OwnFault })
  expect(stateOf('SettleRun').Catch).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'Unsettled' }])
  expect(stateOf('SettleRun').Parameters).toMatchObject({ 'fault.$': '$' })
  expect(stateOf('Unsettled')).toMatchObject({ Type: 'Fail', Error: RunEnd.NeedsAttention })
})

test.each([
  ['PlanSweep', 243],
  ['SettleRun', 362],
])('%s is retried by one policy, not all at the same moment, with waits of at most %i s in total', (name, seconds) => {
  const retries = faultRetries(stateOf(name))
  expect(retries).toMatchObject([{ JitterStrategy: 'FULL', MaxDelaySeconds: 60 }])
  expect(retries.map((retry) => retry.ErrorEquals)).toEqual([[ErrorName.Transient, ...LambdaFault]])
  expect(retries.map(waitsOf)).toEqual([seconds])
})

test('each step runs the function of its name, at least until its time-out', () => {
  const functions = templates.workflow.findResources('AWS::Lambda::Function')
  for (const [name, verb] of Object.entries({ PlanSweep: Verb.PlanSweep, SettleRun: Verb.SettleRun })) {
    const lambda = functions[stateOf(name).Resource ?? '']
    expect(lambda?.Properties.Handler, name).toBe(handlerOf(verb))
    expect(stateOf(name).TimeoutSeconds, name).toBeGreaterThan(lambda?.Properties.Timeout)
  }
})
