// Owns the Rebalance state machine: one run of a policy that converts, from its plan to the result of every leg. Read
// it top to bottom. It decides nothing: PlanRebalance chooses the legs, and SettleRun records their results.
import {
  Choice,
  Condition,
  type IStateMachine,
  JsonPath,
  type StateMachine,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { RunEnd, RunStep } from '../../core/contract/runs.ts'
import { StateMachine as MachineName, RebalanceState } from '../../core/contract/states.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { FunctionsOf } from '../constructs/verb-function.ts'
import { convertTimeout } from './convert-machine.ts'
import { deployMachine, failure, legs, RUN, runTimeouts, step } from './machine-kit.ts'
import { waitFromAnswer } from './movement-machine.ts'

export interface RebalanceMachineProps {
  readonly functions: Pick<FunctionsOf<'workflow'>, 'planRebalance' | 'settleRun'>
  readonly convert: IStateMachine
  readonly timing: Timing
}

/** The phase that buys with the proceeds of the first phase's sells. */
const LAST_PHASE = 2

export class RebalanceMachine extends Construct {
  readonly stateMachine: StateMachine

  constructor(scope: Construct, id: string, props: RebalanceMachineProps) {
    super(scope, id)
    const { functions } = props
    const child = convertTimeout(props.timing)
    const timeouts = runTimeouts(child)
    const legTimeout = timeouts.leg(child)

    const planRebalance = step(this, RebalanceState.PlanRebalance, functions.planRebalance, RUN)

    // Another run of the policy is under way. This run holds nothing meanwhile, and PlanRebalance bounds the number of
    // waits.
    const waitForTurn = waitFromAnswer(this, RebalanceState.WaitForTurn)

    const firstLegs = legs(
      this,
      { legs: RebalanceState.FirstLegs, leg: RebalanceState.FirstLeg, legBroke: RebalanceState.FirstLegBroke },
      props.convert,
      legTimeout,
    )

    // Plans from fresh reads: the proceeds of the sells are known now, and nothing is bought with missing proceeds.
    const planAgain = step(this, RebalanceState.PlanAgain, functions.planRebalance, {
      ...RUN,
      phase: LAST_PHASE,
    })

    const lastLegs = legs(
      this,
      { legs: RebalanceState.LastLegs, leg: RebalanceState.LastLeg, legBroke: RebalanceState.LastLegBroke },
      props.convert,
      legTimeout,
    )

    // The whole state, because a path to a fault that did not happen would fail the run. SettleRun ignores a state that
    // is no fault.
    const settling = { ...RUN, enteredAt: JsonPath.stateEnteredTime, fault: JsonPath.objectAt('$') }
    const settleRun = step(this, RebalanceState.SettleRun, functions.settleRun, settling)
    const settleBrokenRun = step(this, RebalanceState.SettleBrokenRun, functions.settleRun, settling)
    const ended = new Succeed(this, RebalanceState.Ended)

    // The process. PlanAgain and SettleRun have no Choice after them: a phase without legs costs one transition less
    // than a Choice, and the outcome is in the result. A run of n conversions that fill at placement takes at most 6 +
    // 5n transitions.
    planRebalance.next(
      new Choice(this, RebalanceState.PlanOutcome)
        .when(Condition.stringEquals('$.outcome', RunStep.First), firstLegs)
        .when(Condition.stringEquals('$.outcome', RunStep.Last), lastLegs)
        .when(Condition.stringEquals('$.outcome', RunStep.Settle), settleRun)
        .when(Condition.stringEquals('$.outcome', RunStep.Wait), waitForTurn.next(planRebalance))
        .otherwise(ended),
    )
    firstLegs.next(planAgain)
    planAgain.next(lastLegs)
    lastLegs.next(settleRun)

    // After a fault that outlasts the retries, the finished work is settled and reported. Only this path has a Choice.
    const unsettled = failure(this, RebalanceState.Unsettled, RunEnd.NeedsAttention)
    for (const state of [planRebalance, firstLegs, planAgain, lastLegs]) state.addCatch(settleBrokenRun)
    settleBrokenRun.next(
      new Choice(this, RebalanceState.BrokenOutcome)
        .when(
          Condition.stringEquals('$.outcome', RunEnd.OwnFault),
          failure(this, RebalanceState.OwnFault, RunEnd.OwnFault),
        )
        .otherwise(ended),
    )
    for (const state of [settleRun, settleBrokenRun]) state.addCatch(unsettled)

    this.stateMachine = deployMachine(this, {
      name: MachineName.Rebalance,
      comment: 'One run of a policy that converts: a plan, its legs, what became of them.',
      start: planRebalance,
      functions: [functions.planRebalance, functions.settleRun],
      children: [{ name: MachineName.Convert, machine: props.convert }],
      timeout: timeouts.run,
    })
  }
}
