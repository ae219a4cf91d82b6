// Owns the Withdraw state machine: one withdrawal, from a request to a named end. Read it top to bottom. It calculates
// nothing about money and decides nothing: steps answer with an outcome, and Choices branch on it.
import type { Duration } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { type StateMachine, Succeed } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { StateMachine as MachineName, WithdrawState } from '../../core/contract/states.ts'
import { BANK_POLL_WAIT_SECONDS, type Timing } from '../../core/contract/timing.ts'
import type { FunctionsOf } from '../constructs/verb-function.ts'
import { OWN_FAULT_RETRY } from '../retry-policies.ts'
import {
  announceWait,
  deployMachine,
  type Ends,
  failure,
  outcomeChoice,
  REQUEST_AND_ANSWER,
  RUN,
  step,
  unconcluded,
} from './machine-kit.ts'
import { concludeStep, movementTimeout, pollStep, waitFromAnswer } from './movement-machine.ts'

export interface WithdrawMachineProps {
  readonly functions: Pick<FunctionsOf<'workflow'>, 'checkWithdrawal' | 'withdraw' | 'pollWithdrawal' | 'conclude'>
  /** Announces a movement that waits for people. */
  readonly announce: IFunction
  readonly timing: Timing
}

export class WithdrawMachine extends Construct {
  readonly stateMachine: StateMachine

  constructor(scope: Construct, id: string, props: WithdrawMachineProps) {
    super(scope, id)
    const { functions } = props
    const ends = this.ends()

    // CheckWithdrawal writes a refusal to the journal, and Withdraw reads it there first.
    const checkWithdrawal = step(this, WithdrawState.CheckWithdrawal, functions.checkWithdrawal, RUN)

    // Withdraw checks the journal's record against the execution's own input and the hash in CheckWithdrawal's answer.
    // A writer of the journal can change neither.
    const withdraw = step(this, WithdrawState.Withdraw, functions.withdraw, REQUEST_AND_ANSWER)

    // Before the fence the service might still accept a copy of the signed request. After it, absence is proof.
    const waitForFence = waitFromAnswer(this, WithdrawState.WaitForFence)

    // Only one withdrawal of an asset may be in doubt at a time, and people may halt sending.
    const waitForTurn = waitFromAnswer(this, WithdrawState.WaitForTurn)

    const pollWithdrawal = pollStep(this, WithdrawState.PollWithdrawal, functions.pollWithdrawal)

    const waitToPoll = waitFromAnswer(this, WithdrawState.WaitToPoll)

    // The process. A wait follows PROCESSING, because Withdraw has already polled for some seconds.
    checkWithdrawal.next(withdraw)
    withdraw.next(
      outcomeChoice(this, WithdrawState.WithdrawOutcome, ends, {
        [WithdrawStep.Processing]: waitToPoll,
        [WithdrawStep.Again]: checkWithdrawal,
        [WithdrawStep.Uncertain]: waitForFence.next(withdraw),
        [WithdrawStep.Held]: waitForTurn.next(withdraw),
        [WithdrawStep.AwaitingApproval]: announceWait(this, {
          ...{ state: WithdrawState.Announce, kind: IntentKind.Withdraw },
          ...{ announce: props.announce, wait: waitForTurn },
        }),
      }),
    )
    waitToPoll.next(pollWithdrawal)
    pollWithdrawal.next(outcomeChoice(this, WithdrawState.PollOutcome, ends, { [WithdrawStep.Processing]: waitToPoll }))

    // Conclude handles a fault that outlasts the retries, from the journal, which knows whether money may have moved.
    const conclude = concludeStep(this, WithdrawState.Conclude, functions.conclude, IntentKind.Withdraw)
    for (const task of [checkWithdrawal, withdraw, pollWithdrawal]) task.addRetry(OWN_FAULT_RETRY).addCatch(conclude)
    conclude.addCatch(ends.unconcluded)
    conclude.next(outcomeChoice(this, WithdrawState.ConcludeOutcome, ends, {}))

    this.stateMachine = deployMachine(this, {
      name: MachineName.Withdraw,
      comment: 'One withdrawal: checks, one send, a named end.',
      start: checkWithdrawal,
      functions: [functions.checkWithdrawal, functions.withdraw, functions.pollWithdrawal, functions.conclude],
      announce: props.announce,
      timeout: withdrawTimeout(props.timing),
    })
  }

  /** The named ends. Settled ends succeed. Ends that need a person fail, and raise an alarm. */
  private ends(): Ends<WithdrawEnd> {
    const needsAttention = failure(this, WithdrawState.NeedsAttention, WithdrawEnd.NeedsAttention)
    const withoutResult = unconcluded(this, WithdrawState.Unconcluded, WithdrawEnd.NeedsAttention)
    withoutResult.next(needsAttention)
    return {
      byOutcome: {
        [WithdrawEnd.Completed]: new Succeed(this, WithdrawState.Completed),
        [WithdrawEnd.Rejected]: new Succeed(this, WithdrawState.Rejected),
        [WithdrawEnd.Exhausted]: new Succeed(this, WithdrawState.Exhausted),
        [WithdrawEnd.FailedRefunded]: new Succeed(this, WithdrawState.FailedRefunded),
        [WithdrawEnd.OwnFault]: failure(this, WithdrawState.OwnFault, WithdrawEnd.OwnFault),
        [WithdrawEnd.Stuck]: failure(this, WithdrawState.Stuck, WithdrawEnd.Stuck),
        [WithdrawEnd.NeedsAttention]: needsAttention,
      },
      unconcluded: withoutResult,
    }
  }
}

/** Longest time of a withdrawal, whatever delays it. A bank payout takes days. */
export function withdrawTimeout(timing: Timing): Duration {
  const bankPolls = Math.ceil((timing.bankPayoutHours * 3600) / BANK_POLL_WAIT_SECONDS)
  const bankSeconds = bankPolls * (BANK_POLL_WAIT_SECONDS + timing.pollInsideSeconds)
  return movementTimeout(timing, timing.visibilitySeconds, bankSeconds)
}
