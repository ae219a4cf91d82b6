// State PlanSweep: which withdrawals, and conversions ahead of them, a run of a sweep or of a convert-and-withdraw
// policy makes, phase by phase. Moves no money.
import { isWithdrawing, type Policy, PolicyKind, type WithdrawingPolicy } from '../../core/contract/policies.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { type PlanInput, type PlanOutput, RunStep } from '../../core/contract/runs.ts'
import { Defect } from '../../core/errors.ts'
import {
  planConvertAndWithdraw,
  planSweep as planSweepPolicy,
  replanConvertAndWithdraw,
  replanSweep,
} from '../../core/planning/sweep/sweep.ts'
import type { Planning } from '../../core/runs/plan/answers.ts'
import { planRun } from '../../core/runs/plan/plan-run.ts'
import type { RunPorts } from '../../core/runs/ports.ts'

const planning: Planning = {
  takes: isWithdrawing,

  plan(name, policy, snapshot) {
    const own = sweeping(policy)
    if (own.kind === PolicyKind.Sweep) return planSweepPolicy(name, own, snapshot)
    return planConvertAndWithdraw(name, own, snapshot)
  },

  replan(asked) {
    const policy = sweeping(asked.policy)
    if (policy.kind === PolicyKind.Sweep) return replanSweep({ ...asked, policy })
    return replanConvertAndWithdraw({ ...asked, policy })
  },

  stepOf(legs) {
    const kinds = new Set(legs.map(({ kind }) => kind))
    // Each kind is carried out by a state machine of its own.
    if (kinds.size > 1) throw new Defect('a phase of conversions and withdrawals')
    return kinds.has(IntentKind.Convert) ? RunStep.Convert : RunStep.Withdraw
  },
}

/** @throws Transient, Defect */
export function planSweep(input: PlanInput, ports: RunPorts): Promise<PlanOutput> {
  return planRun(input, planning, ports)
}

/** @throws TypeError for a policy that `takes` refuses: a programming error */
function sweeping(policy: Policy): WithdrawingPolicy {
  if (isWithdrawing(policy)) return policy
  throw new TypeError(`a policy of the kind ${policy.kind} is not for this state machine`)
}
