// State PlanSweep: plans the withdrawals of a run, and the conversions before them, phase by phase. For policies that
// withdraw. Moves no money.
import { IntentKind } from '../../core/contract/records.ts'
import { type PlanInput, type PlanOutput, RunStep } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { Defect } from '../../core/errors.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import { planPolicy, replanPolicy } from '../../core/policies/planners.ts'
import type { Planning } from '../../core/runs/plan/answers.ts'
import { planRun } from '../../core/runs/plan/plan-run.ts'
import type { RunPorts } from '../../core/runs/ports.ts'

const planning: Planning = {
  takes: (policy) => machineOf(policy) === StateMachine.Sweep,
  plan: planPolicy,
  replan: replanPolicy,
  answersInParts: true,

  stepOf(legs) {
    const kinds = new Set(legs.map(({ kind }) => kind))
    // Each kind has its own state machine.
    if (kinds.size > 1) throw new Defect('a phase of conversions and withdrawals')
    return kinds.has(IntentKind.Convert) ? RunStep.Convert : RunStep.Withdraw
  },
}

/** @throws Transient, Defect */
export function planSweep(input: PlanInput, ports: RunPorts): Promise<PlanOutput> {
  return planRun(input, planning, ports)
}
