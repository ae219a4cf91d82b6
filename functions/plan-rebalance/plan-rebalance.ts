// States PlanRebalance and PlanAgain: plan the conversions of a run. Conversions that others depend on are in an
// earlier phase. For policies that only convert. Moves no money.
import { type PlanInput, type PlanOutput, RunStep } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import { planPolicy, replanPolicy } from '../../core/policies/planners.ts'
import type { Planning } from '../../core/runs/plan/answers.ts'
import { planRun } from '../../core/runs/plan/plan-run.ts'
import type { RunPorts } from '../../core/runs/ports.ts'

const planning: Planning = {
  takes: (policy) => machineOf(policy) === StateMachine.Rebalance,
  plan: planPolicy,
  replan: replanPolicy,
  answersInParts: false,
  stepOf: (_legs, isLast) => (isLast ? RunStep.Last : RunStep.First),
}

/** @throws Transient, Defect */
export function planRebalance(input: PlanInput, ports: RunPorts): Promise<PlanOutput> {
  return planRun(input, planning, ports)
}
