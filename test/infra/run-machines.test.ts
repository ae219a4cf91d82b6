// The machines of runs have the states of the contract and the promised transitions. A rebalance sells before it buys; a sweep
// runs its phases in order. Both start their legs as executions of their own, and settle the run whatever breaks.
import { beforeAll, describe, expect, test } from 'vitest'
import { ErrorName, LambdaFault } from '../../core/contract/errors.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { policy } from '../../core/contract/policies.ts'
import { MOST_PHASES, planInput, RunEnd, RunStep, settleRunInput } from '../../core/contract/runs.ts'
import { handlerOf, RebalanceState, StateMachine, SweepState, Verb } from '../../core/contract/states.ts'
import { synthesizeTemplates, type Templates } from './assembly.ts'
import {
  definitionOf,
  faultRetries,
  type MachineDefinition,
  pathFor,
  type StateDefinition,
  waitsOf,
} from './definition.ts'

const RUN = { execution: 'a', startedAt: '2026-01-01T00:00:00Z', enteredAt: '2026-01-01T00:00:00Z', request: {} }

let templates: Templates
beforeAll(() => {
  templates = synthesizeTemplates()
})

type RunMachine = typeof StateMachine.Rebalance | typeof StateMachine.Sweep
const machineOf = (machine: StateMachine): MachineDefinition => definitionOf(templates.workflow, machine)
const stateOf = (machine: RunMachine, name: string): StateDefinition => machineOf(machine).States[name] ?? { Type: '' }
const nextOf = (machine: RunMachine, choice: string, outcome: string) =>
  stateOf(machine, choice).Choices?.find((rule) => rule.StringEquals === outcome)?.Next ??
  stateOf(machine, choice).Default

describe.each([
  {
    machine: StateMachine.Rebalance,
    contract: RebalanceState,
    plan: 'PlanRebalance',
    steps: { PlanRebalance: Verb.PlanRebalance, PlanAgain: Verb.PlanRebalance, SettleRun: Verb.SettleRun },
    maps: ['FirstLegs', 'LastLegs'],
  },
  {
    machine: StateMachine.Sweep,
    contract: SweepState,
    plan: 'PlanSweep',
    steps: { PlanSweep: Verb.PlanSweep, SettleRun: Verb.SettleRun },
    maps: ['ConvertLegs', 'WithdrawLegs'],
  },
] as const)('the machine of $machine', ({ machine, contract, plan, steps, maps }) => {
  const state = (name: string) => stateOf(machine, name)

  test('has exactly the states of the contract, including those of its legs', () => {
    const names = Object.entries(machineOf(machine).States).flatMap(([name, { ItemProcessor }]) => [
      name,
      ...Object.keys(ItemProcessor?.States ?? {}),
    ])
    expect(names.sort()).toEqual(Object.values(contract).sort())
  })

  test('takes three transitions with nothing to do, and every end of a plan ends it with that plan’s answer', () => {
    for (const outcome of [...Object.values(RunEnd), 'NEVER_HEARD_OF']) {
      expect(pathFor(machineOf(machine), outcome), outcome).toEqual([plan, 'PlanOutcome', 'Ended'])
    }
    expect(state('Ended')).toEqual({ Type: 'Succeed' })
  })

  test('returns a run that waits for its turn to the plan', () => {
    expect(nextOf(machine, 'PlanOutcome', RunStep.Wait)).toBe('WaitForTurn')
    expect(state('WaitForTurn')).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: plan })
  })

  test('settles a run whose legs were all done before', () => {
    expect(nextOf(machine, 'PlanOutcome', RunStep.Settle)).toBe('SettleRun')
  })

  test('runs the function of each step, at least until its time-out', () => {
    const functions = templates.workflow.findResources('AWS::Lambda::Function')
    for (const [name, verb] of Object.entries(steps)) {
      const lambda = functions[state(name).Resource ?? '']
      expect(lambda?.Properties.Handler, name).toBe(handlerOf(verb))
      expect(state(name).TimeoutSeconds, name).toBeGreaterThan(lambda?.Properties.Timeout)
    }
  })

  test('retries each step by one policy, not all at the same moment: a plan for 243 s, a settlement for 362 s', () => {
    for (const [name, verb] of Object.entries(steps)) {
      const retries = faultRetries(state(name))
      expect(retries, name).toMatchObject([{ JitterStrategy: 'FULL', MaxDelaySeconds: 60 }])
      expect(retries.map((retry) => retry.ErrorEquals)).toEqual([[ErrorName.Transient, ...LambdaFault]])
      expect(retries.map(waitsOf), name).toEqual([verb === Verb.SettleRun ? 362 : 243])
    }
  })

  test('settles the run whatever fails for good, and reports the caught fault', () => {
    for (const name of [...Object.keys(steps).filter((each) => each !== 'SettleRun'), ...maps]) {
      expect(state(name).Catch, name).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'SettleBrokenRun' }])
    }
    expect(state('SettleBrokenRun').Parameters).toEqual(state('SettleRun').Parameters)
    expect(state('SettleRun').Parameters).toEqual({
      'execution.$': '$$.Execution.Name',
      'startedAt.$': '$$.Execution.StartTime',
      'enteredAt.$': '$$.State.EnteredTime',
      'request.$': '$$.Execution.Input',
      'fault.$': '$',
    })
  })

  test('fails the execution of a run that an own fault stopped, with its result; any other run ends', () => {
    expect(state('SettleBrokenRun').Next).toBe('BrokenOutcome')
    expect(nextOf(machine, 'BrokenOutcome', RunEnd.OwnFault)).toBe('OwnFault')
    expect(nextOf(machine, 'BrokenOutcome', RunEnd.NeedsAttention)).toBe('Ended')
    expect(state('OwnFault')).toEqual({ Type: 'Fail', Error: 'OWN_FAULT', CausePath: 'States.JsonToString($)' })
  })

  test('fails the execution when even the settlement fails, which alarms', () => {
    for (const name of ['SettleRun', 'SettleBrokenRun'])
      expect(state(name).Catch).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'Unsettled' }])
    expect(state('Unsettled')).toEqual({
      Type: 'Fail',
      Error: RunEnd.NeedsAttention,
      CausePath: 'States.JsonToString($)',
    })
  })
})

describe.each([
  [StateMachine.Rebalance, 'First', StateMachine.Convert],
  [StateMachine.Rebalance, 'Last', StateMachine.Convert],
  [StateMachine.Sweep, 'Convert', StateMachine.Convert],
  [StateMachine.Sweep, 'Withdraw', StateMachine.Withdraw],
] as const)('the legs of %s: %s', (machine, phase, child) => {
  const map = () => stateOf(machine, `${phase}Legs`)
  const leg = (name = `${phase}Leg`): StateDefinition => map().ItemProcessor?.States[name] ?? { Type: '' }

  test('run five at once, and leave the state unchanged, because it holds the phase', () => {
    expect(map()).toMatchObject({ Type: 'Map', ItemsPath: '$.legs', MaxConcurrency: 5, ResultPath: null })
  })

  test('are executions of the machine of their kind under the names of their intents, with the exact request', () => {
    const machines = templates.workflow.findResources('AWS::StepFunctions::StateMachine', {
      Properties: { StateMachineName: child },
    })
    expect(leg().Resource).toMatch(/:states:::states:startExecution\.sync:2$/)
    expect(leg().Parameters).toEqual({
      StateMachineArn: Object.keys(machines)[0],
      'Name.$': '$.name',
      'Input.$': 'States.JsonMerge($.request, $.onBehalf, false)',
    })
  })

  test('that fail stop no other leg', () => {
    expect(leg().Catch).toEqual([{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: `${phase}LegBroke` }])
    expect(leg(`${phase}LegBroke`)).toEqual({ Type: 'Pass', End: true })
  })

  test('are started again after transient faults, and never because they ended badly', () => {
    const [retry, ...others] = leg().Retry ?? []
    expect(others).toEqual([])
    expect(retry && waitsOf(retry)).toBe(31)
    expect(retry?.ErrorEquals.every((name) => name.startsWith('StepFunctions.'))).toBe(true)
  })

  test("outlast their own machine, and the run outlasts them by more than its plan's life and its wait", () => {
    expect(leg().TimeoutSeconds).toBeGreaterThan(machineOf(child).TimeoutSeconds)
    expect(machineOf(machine).TimeoutSeconds).toBeGreaterThan((leg().TimeoutSeconds ?? 0) + 2 * 24 * 3600)
  })
})

describe('a rebalance', () => {
  const state = (name: string) => stateOf(StateMachine.Rebalance, name)

  test.each([1, 2, 10, 200])('of %i legs that fill at placement takes at most 4 + 6n transitions', (legs) => {
    const [rebalance, convert] = [machineOf(StateMachine.Rebalance), machineOf(StateMachine.Convert)]
    const ofLeg = 1 + pathFor(convert, ConvertEnd.Filled).length
    const transitions = (outcome: string, inMap: Readonly<Record<string, number>>) =>
      pathFor(rebalance, outcome).reduce((sum, name) => sum + 1 + ofLeg * (inMap[name] ?? 0), 0)
    expect(transitions(RunStep.Last, { LastLegs: legs })).toBe(4 + 5 * legs)
    for (let first = 1; first < legs; first += 1) {
      expect(transitions(RunStep.First, { FirstLegs: first, LastLegs: legs - first })).toBe(6 + 5 * legs)
      expect(6 + 5 * legs).toBeLessThanOrEqual(4 + 6 * legs)
    }
  })

  test('sells first, and plans buys again from the proceeds', () => {
    expect(pathFor(machineOf(StateMachine.Rebalance), RunStep.First)).toEqual([
      ...['PlanRebalance', 'PlanOutcome', 'FirstLegs', 'PlanAgain', 'LastLegs', 'SettleRun'],
    ])
    expect(state('SettleRun').End).toBe(true)
    expect(state('PlanAgain').Resource).toBe(state('PlanRebalance').Resource)
    expect(planInput.parse({ ...RUN, phase: state('PlanAgain').Parameters?.phase }).phase).toBe(2)
  })

  test('is planned without a phase, also after a wait', () => {
    expect(state('PlanRebalance').Parameters).toEqual({
      'execution.$': '$$.Execution.Name',
      'startedAt.$': '$$.Execution.StartTime',
      'request.$': '$$.Execution.Input',
    })
  })

  test('has most of its life left for its legs after the waits of a repeated plan', () => {
    const { runLifeSeconds } = policy.parse({ kind: 'rebalance', weights: { BTC: '1' } })
    expect(faultRetries(state('PlanAgain')).map((retry) => waitsOf(retry) < runLifeSeconds / 2)).toEqual([true])
  })
})

describe('a sweep', () => {
  const state = (name: string) => stateOf(StateMachine.Sweep, name)

  test('returns to the plan after the legs of a phase', () => {
    expect(nextOf(StateMachine.Sweep, 'PlanOutcome', RunStep.Convert)).toBe('ConvertLegs')
    expect(nextOf(StateMachine.Sweep, 'PlanOutcome', RunStep.Withdraw)).toBe('WithdrawLegs')
    expect([state('ConvertLegs').Next, state('WithdrawLegs').Next]).toEqual(['PlanSweep', 'PlanSweep'])
  })

  test('is settled again while legs of a long run are left to read, also after a fault', () => {
    expect(state('SettleRun').Next).toBe('PlanOutcome')
    expect(nextOf(StateMachine.Sweep, 'BrokenOutcome', RunStep.Settle)).toBe('SettleBrokenRun')
    expect(nextOf(StateMachine.Sweep, 'BrokenOutcome', RunEnd.Settled)).toBe('Ended')
  })

  test('asks for the first phase at its start, again after a wait, for the next after each, and for none after the last', () => {
    expect(state('PlanSweep').Parameters).toMatchObject({ 'phase.$': '$', 'request.$': '$$.Execution.Input' })
    const phaseAfter = (phase: unknown) => planInput.safeParse({ ...RUN, phase })
    expect(phaseAfter({ policy: 'daily', shadow: true }).data?.phase).toBeUndefined()
    for (let phase = 1; phase < MOST_PHASES; phase += 1) {
      expect(phaseAfter({ outcome: 'CONVERT', runId: 'a', legs: [], phase }).data?.phase).toBe(phase + 1)
    }
    expect(phaseAfter({ outcome: RunStep.Wait, runId: 'a', legs: [], phase: 1, waitSeconds: 15 }).data?.phase).toBe(1)
    expect(phaseAfter({ outcome: 'WITHDRAW', runId: 'a', legs: [], phase: MOST_PHASES }).success).toBe(false)
  })
})

test('SettleRun treats a caught fault as a fault, and the answer of a plan as no fault', () => {
  const faultIn = (state: unknown) => settleRunInput.parse({ ...RUN, fault: state }).fault
  expect(faultIn({ Error: 'States.Timeout' })).toEqual({ Error: 'States.Timeout', Cause: '' })
  expect(faultIn({ outcome: 'SETTLE', runId: 'a', legs: [], phase: 1 })).toBeUndefined()
})
