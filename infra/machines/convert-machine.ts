// Owns the Convert state machine: one conversion, from a request to a named end. Read it top to bottom. It calculates
// nothing about money and decides nothing: steps answer with an outcome, and Choices branch on it.
import type { Duration } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { type StateMachine, Succeed } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { ConvertEnd, ConvertStep } from '../../core/contract/outcomes.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { ConvertState, StateMachine as MachineName } from '../../core/contract/states.ts'
import type { Timing } from '../../core/contract/timing.ts'
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

export interface ConvertMachineProps {
  readonly functions: Pick<FunctionsOf<'workflow'>, 'quote' | 'order' | 'pollOrder' | 'conclude'>
  /** Announces a movement that waits for people. */
  readonly announce: IFunction
  readonly timing: Timing
}

export class ConvertMachine extends Construct {
  readonly stateMachine: StateMachine

  constructor(scope: Construct, id: string, props: ConvertMachineProps) {
    super(scope, id)
    const { functions } = props
    const ends = this.ends()

    // Order follows every answer of Quote, so a run that fills at placement takes five transitions with the start:
    // Quote, Order, OrderOutcome, Filled. Quote writes a refusal to the journal, and Order reads it there. The request
    // is always the execution's own input, so a return to Quote asks for the same conversion.
    const quote = step(this, ConvertState.Quote, functions.quote, { ...RUN, ...REQUEST_AND_ANSWER })

    // Order receives Quote's answer, or its own UNCERTAIN or HELD answer, which has no quote. It checks the journal's
    // record against the execution's own input and the hash of terms in that answer. A writer of the journal can change
    // neither.
    const order = step(this, ConvertState.Order, functions.order, REQUEST_AND_ANSWER)

    // Before the fence the service might still accept a copy of the signed order. After it, absence is proof.
    const waitForFence = waitFromAnswer(this, ConvertState.WaitForFence)

    // People may halt sending. Order checks again, and requests a new quote once it may send.
    const waitForTurn = waitFromAnswer(this, ConvertState.WaitForTurn)

    const pollOrder = pollStep(this, ConvertState.PollOrder, functions.pollOrder)

    const waitToPoll = waitFromAnswer(this, ConvertState.WaitToPoll)

    // The process. A wait follows PROCESSING, because Order has already polled for some seconds, as PollOrder does.
    // Polling in Order costs less than a round of WaitToPoll, PollOrder and PollOutcome.
    quote.next(order)
    order.next(
      outcomeChoice(this, ConvertState.OrderOutcome, ends, {
        [ConvertStep.Processing]: waitToPoll,
        [ConvertStep.QuoteExpired]: quote,
        [ConvertStep.Uncertain]: waitForFence.next(order),
        [ConvertStep.Held]: waitForTurn.next(order),
        [ConvertStep.AwaitingApproval]: announceWait(this, {
          ...{ state: ConvertState.Announce, kind: IntentKind.Convert },
          ...{ announce: props.announce, wait: waitForTurn },
        }),
      }),
    )
    waitToPoll.next(pollOrder)
    pollOrder.next(outcomeChoice(this, ConvertState.PollOutcome, ends, { [ConvertStep.Processing]: waitToPoll }))

    // Conclude handles a fault that outlasts the retries, from the journal, which knows whether money may have moved.
    const conclude = concludeStep(this, ConvertState.Conclude, functions.conclude, IntentKind.Convert)
    for (const task of [quote, order, pollOrder]) task.addRetry(OWN_FAULT_RETRY).addCatch(conclude)
    conclude.addCatch(ends.unconcluded)
    conclude.next(outcomeChoice(this, ConvertState.ConcludeOutcome, ends, {}))

    this.stateMachine = deployMachine(this, {
      name: MachineName.Convert,
      comment: 'One conversion: a quote, one order, a named end.',
      start: quote,
      functions: [functions.quote, functions.order, functions.pollOrder, functions.conclude],
      announce: props.announce,
      timeout: convertTimeout(props.timing),
    })
  }

  /** The named ends. Settled ends succeed. Ends that need a person fail, and raise an alarm. */
  private ends(): Ends<ConvertEnd> {
    const needsAttention = failure(this, ConvertState.NeedsAttention, ConvertEnd.NeedsAttention)
    const withoutResult = unconcluded(this, ConvertState.Unconcluded, ConvertEnd.NeedsAttention)
    withoutResult.next(needsAttention)
    return {
      byOutcome: {
        [ConvertEnd.Filled]: new Succeed(this, ConvertState.Filled),
        [ConvertEnd.PriceRefused]: new Succeed(this, ConvertState.PriceRefused),
        [ConvertEnd.ExpiredOut]: new Succeed(this, ConvertState.ExpiredOut),
        [ConvertEnd.Rejected]: new Succeed(this, ConvertState.Rejected),
        [ConvertEnd.Failed]: new Succeed(this, ConvertState.Failed),
        [ConvertEnd.OwnFault]: failure(this, ConvertState.OwnFault, ConvertEnd.OwnFault),
        [ConvertEnd.Stuck]: failure(this, ConvertState.Stuck, ConvertEnd.Stuck),
        [ConvertEnd.NeedsAttention]: needsAttention,
      },
      unconcluded: withoutResult,
    }
  }
}

/** Longest time of a conversion, whatever delays it. */
export function convertTimeout(timing: Timing): Duration {
  return movementTimeout(timing, timing.orderVisibilitySeconds)
}
