// Owns the Withdraw state machine: one withdrawal, from a request to a named end. Read it top to bottom.
// It computes nothing about money and decides nothing: steps answer with an outcome, Choices branch on it.
import type { Duration } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { type StateMachine, Succeed } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { StateMachine as MachineName, WithdrawState } from '../../core/contract/states.ts'
import { BANK_POLL_WAIT_SECONDS, type Timing } from '../../core/contract/timing.ts'
import { OWN_FAULT_RETRY } from '../retry-policies.ts'
import {
  announceWait,
  deployMachine,
  type Ends,
  failure,
  outcomeChoice,
  REQUEST_AND_SAID,
  RUN,
  step,
  unconcluded,
} from './machine-kit.ts'
import { concludeStep, movementTimeout, pollStep, waitAsSaid } from './movement-machine.ts'
import type { FunctionsOf } from './verb-function.ts'

export interface WithdrawMachineProps {
  readonly functions: Pick<FunctionsOf<'workflow'>, 'checkWithdrawal' | 'withdraw' | 'pollWithdrawal' | 'conclude'>
  /** Tells of what waits for people. */
  readonly announce: IFunction
  readonly timing: Timing
}

export class WithdrawMachine extends Construct {
  readonly stateMachine: StateMachine

  constructor(scope: Construct, id: string, props: WithdrawMachineProps) {
    super(scope, id)
    const { functions } = props
    const ends = this.ends()

    // What the checks refuse they write to the journal, and Withdraw, which reads it first, answers from it.
    const checkWithdrawal = step(this, WithdrawState.CheckWithdrawal, functions.checkWithdrawal, RUN)

    // The journal holds what was checked. Its record is held against the execution's own input, and against the hash that
    // CheckWithdrawal answered: whoever writes the journal cannot change either.
    const withdraw = step(this, WithdrawState.Withdraw, functions.withdraw, REQUEST_AND_SAID)

    // Until then a copy of the signed request might still be accepted; after it, absence is proof.
    const waitForFence = waitAsSaid(this, WithdrawState.WaitForFence)

    // One withdrawal of an asset at a time may be in doubt; and people may halt sending.
    const waitForTurn = waitAsSaid(this, WithdrawState.WaitForTurn)

    const pollWithdrawal = pollStep(this, WithdrawState.PollWithdrawal, functions.pollWithdrawal)

    const waitToPoll = waitAsSaid(this, WithdrawState.WaitToPoll)

    // The process. A wait follows PROCESSING, because Withdraw has looked for some seconds itself.
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

    // Whatever goes wrong beyond retries is concluded from the journal: it knows whether money may have moved.
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

  /** The named ends: those where the books are closed succeed, those that need a person fail, and alarm. */
  private ends(): Ends<WithdrawEnd> {
    const needsAttention = failure(this, WithdrawState.NeedsAttention, WithdrawEnd.NeedsAttention)
    const noWord = unconcluded(this, WithdrawState.Unconcluded, WithdrawEnd.NeedsAttention)
    noWord.next(needsAttention)
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
      unconcluded: noWord,
    }
  }
}

/** The most that a withdrawal may take, whatever holds it up. A payout to a bank takes days. */
export function withdrawTimeout(timing: Timing): Duration {
  const looksAtBank = Math.ceil((timing.bankPayoutHours * 3600) / BANK_POLL_WAIT_SECONDS)
  const bankSeconds = looksAtBank * (BANK_POLL_WAIT_SECONDS + timing.pollInsideSeconds)
  return movementTimeout(timing, timing.visibilitySeconds, bankSeconds)
}
