// Owns the Sweep state machine: one run of a policy that withdraws, from its plan to the result of every leg. Read it
// top to bottom. It decides nothing: PlanSweep chooses the next legs, and SettleRun records their results.
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
import { StateMachine as MachineName, SweepState } from '../../core/contract/states.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { FunctionsOf } from '../constructs/verb-function.ts'
import { convertTimeout } from './convert-machine.ts'
import { deployMachine, failure, legs, RUN, runTimeouts, step } from './machine-kit.ts'
import { waitFromAnswer } from './movement-machine.ts'
import { withdrawTimeout } from './withdraw-machine.ts'

export interface SweepMachineProps {
  readonly functions: Pick<FunctionsOf<'workflow'>, 'planSweep' | 'settleRun'>
  readonly convert: IStateMachine
  readonly withdraw: IStateMachine
  readonly timing: Timing
}

export class SweepMachine extends Construct {
  readonly stateMachine: StateMachine

  constructor(scope: Construct, id: string, props: SweepMachineProps) {
    super(scope, id)
    const { functions } = props
    const ofConvert = convertTimeout(props.timing)
    const ofWithdraw = withdrawTimeout(props.timing)
    const timeouts = runTimeouts(ofConvert, ofWithdraw)

    // On its return, PlanSweep receives its own last answer, and plans the next phase: conversions, canaries, then the
    // rest. After a wait it plans the same phase. The contract bounds the phases. At the start the state is the
    // request, which names no phase.
    const planSweep = step(this, SweepState.PlanSweep, functions.planSweep, {
      ...RUN,
      phase: JsonPath.objectAt('$'),
    })

    // Another run of the policy is under way. This run holds nothing meanwhile, and PlanSweep bounds the number of
    // waits.
    const waitForTurn = waitFromAnswer(this, SweepState.WaitForTurn)

    const convertLegs = legs(
      this,
      { legs: SweepState.ConvertLegs, leg: SweepState.ConvertLeg, legBroke: SweepState.ConvertLegBroke },
      props.convert,
      timeouts.leg(ofConvert),
    )

    const withdrawLegs = legs(
      this,
      { legs: SweepState.WithdrawLegs, leg: SweepState.WithdrawLeg, legBroke: SweepState.WithdrawLegBroke },
      props.withdraw,
      timeouts.leg(ofWithdraw),
    )

    // The whole state. SettleRun ignores a state that is no fault.
    const settling = { ...RUN, enteredAt: JsonPath.stateEnteredTime, fault: JsonPath.objectAt('$') }
    const settleRun = step(this, SweepState.SettleRun, functions.settleRun, settling)
    const settleBrokenRun = step(this, SweepState.SettleBrokenRun, functions.settleRun, settling)
    const ended = new Succeed(this, SweepState.Ended)

    // The process. SettleRun returns to the Choice: while it has legs of a long run left to read, it is entered again.
    const planOutcome = new Choice(this, SweepState.PlanOutcome)
    planSweep.next(
      planOutcome
        .when(Condition.stringEquals('$.outcome', RunStep.Convert), convertLegs.next(planSweep))
        .when(Condition.stringEquals('$.outcome', RunStep.Withdraw), withdrawLegs.next(planSweep))
        .when(Condition.stringEquals('$.outcome', RunStep.Settle), settleRun)
        .when(Condition.stringEquals('$.outcome', RunStep.Wait), waitForTurn.next(planSweep))
        .otherwise(ended),
    )
    settleRun.next(planOutcome)

    // After a fault that outlasts the retries, the finished work is settled and reported.
    const unsettled = failure(this, SweepState.Unsettled, RunEnd.NeedsAttention)
    for (const state of [planSweep, convertLegs, withdrawLegs]) state.addCatch(settleBrokenRun)
    settleBrokenRun.next(
      new Choice(this, SweepState.BrokenOutcome)
        .when(Condition.stringEquals('$.outcome', RunEnd.OwnFault), failure(this, SweepState.OwnFault, RunEnd.OwnFault))
        .when(Condition.stringEquals('$.outcome', RunStep.Settle), settleBrokenRun)
        .otherwise(ended),
    )
    for (const state of [settleRun, settleBrokenRun]) state.addCatch(unsettled)

    this.stateMachine = deployMachine(this, {
      name: MachineName.Sweep,
      comment: 'One run of a policy that withdraws: a plan, its legs in phases, what became of them.',
      start: planSweep,
      functions: [functions.planSweep, functions.settleRun],
      children: [
        { name: MachineName.Convert, machine: props.convert },
        { name: MachineName.Withdraw, machine: props.withdraw },
      ],
      timeout: timeouts.run,
    })
  }
}
