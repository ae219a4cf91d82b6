// States PlanRebalance and PlanAgain: which conversions a run of a rebalance, fund or convert-on-arrival policy
// makes, those that others need first in a phase of their own. Moves no money.
import { type ConvertingPolicy, isWithdrawing, type Policy, PolicyKind } from '../../core/contract/policies.ts'
import { type PlanInput, type PlanOutput, RunStep } from '../../core/contract/runs.ts'
import { replanConversions } from '../../core/planning/conversions/replan.ts'
import type { Snapshot } from '../../core/planning/market/snapshot.ts'
import { planConvertOnArrival } from '../../core/planning/one-way/convert-on-arrival.ts'
import { planFund } from '../../core/planning/one-way/fund.ts'
import type { Planned } from '../../core/planning/planner.ts'
import { planRebalance as planRebalancePolicy } from '../../core/planning/rebalance/rebalance.ts'
import type { Planning } from '../../core/runs/plan/answers.ts'
import { planRun } from '../../core/runs/plan/plan-run.ts'
import type { RunPorts } from '../../core/runs/ports.ts'

const planning: Planning = {
  takes: (policy) => !isWithdrawing(policy),
  plan: (name, policy, snapshot) => planConverting(name, converting(policy), snapshot),
  replan: replanConversions,
  stepOf: (_legs, isLast) => (isLast ? RunStep.Last : RunStep.First),
}

/** @throws Transient, Defect */
export function planRebalance(input: PlanInput, ports: RunPorts): Promise<PlanOutput> {
  return planRun(input, planning, ports)
}

function planConverting(name: string, policy: ConvertingPolicy, snapshot: Snapshot): Planned {
  switch (policy.kind) {
    case PolicyKind.Rebalance:
      return planRebalancePolicy(name, policy, snapshot)
    case PolicyKind.Fund:
      return planFund(name, policy, snapshot)
    case PolicyKind.ConvertOnArrival:
      return planConvertOnArrival(name, policy, snapshot)
  }
}

/** @throws TypeError for a policy that `takes` refuses: a programming error */
function converting(policy: Policy): ConvertingPolicy {
  if (!isWithdrawing(policy)) return policy
  throw new TypeError(`a policy of the kind ${policy.kind} is not for this state machine`)
}
