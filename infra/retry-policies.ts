// Owns the retries of each step and their waits. Only faults are retried: an expected outcome is an output. A retry is
// safe, because every step reads the journal before it acts.
import { Duration } from 'aws-cdk-lib'
import { JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions'
import { ErrorName, LambdaFault } from '../core/contract/errors.ts'

/**
 * Faults that may pass without any action. Refused, IntentLost and Defect go to Conclude at once. Our own faults have
 * OWN_FAULT_RETRY.
 */
const passingFaults = [ErrorName.Transient, ...LambdaFault]

/** The first wait takes these seconds, and each further one twice as long. `isSpread`: with full jitter. */
function retried(
  errors: string[],
  maxAttempts: number,
  firstSeconds: number,
  { mostSeconds, isSpread = false }: { readonly mostSeconds?: number; readonly isSpread?: boolean } = {},
): RetryProps {
  return {
    errors,
    interval: Duration.seconds(firstSeconds),
    backoffRate: 2,
    ...(mostSeconds !== undefined && { maxDelay: Duration.seconds(mostSeconds) }),
    maxAttempts,
    ...(isSpread && { jitterStrategy: JitterType.FULL }),
  }
}

/**
 * Every step: 60 retries with some 14 minutes of waits, 15 s on average. Many runs finish at the service's pace, and a halt
 * of a market is outlasted. Jitter keeps them from returning together. A step that still has no turn ends as after any lasting
 * fault.
 */
export const RATE_LIMIT_RETRY = retried([ErrorName.RateLimited], 60, 2, { mostSeconds: 30, isSpread: true })

/**
 * Quote and CheckWithdrawal: 1 + 2 + 4 = 7 s of waits in 3 retries. Nothing was sent yet, so an early end costs
 * nothing, and a price that is some seconds old is useless.
 */
export const QUOTE_RETRY = retried(passingFaults, 3, 1)

/**
 * Every step of a movement, for faults that a person must fix, such as a key or a permission. Waits 15 + 30 + 60 + 120
 * + 240 + 300 * 3 = 1365 s in 8 retries. That is longer than an intent lives by default. Once the fault is fixed, the
 * run continues automatically.
 */
export const OWN_FAULT_RETRY = retried([ErrorName.KeyFault, ErrorName.OwnFault], 8, 15, { mostSeconds: 300 })

/**
 * Order: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. The first comes soon, because a quote lives for five seconds.
 * All together outlast a token's default life, so a lost answer is looked up instead of abandoned.
 */
export const ORDER_RETRY = retried(passingFaults, 5, 1)

/**
 * Withdraw: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. Nothing is urgent. An unreadable service during a doubt is
 * an outcome with its own waits, not a fault.
 */
export const WITHDRAW_RETRY = retried(passingFaults, 5, 1)

/**
 * PollOrder and PollWithdrawal: 2 + 4 + 8 + 16 + 32 + 60 = 122 s of waits in 6 retries. The movement exists and only
 * its end is read, so waiting costs nothing. Jitter keeps many runs from returning in the same second.
 */
export const POLL_RETRY = retried(passingFaults, 6, 2, { mostSeconds: 60, isSpread: true })

/**
 * Conclude: 2 + 4 + 8 + 16 + 32 + 60 = 122 s of waits in 6 retries. It decides last on a run and needs only the
 * journal. If it fails, a person is called.
 */
export const CONCLUDE_RETRY = retried(passingFaults, 6, 2, { mostSeconds: 60 })

/**
 * PlanRebalance, PlanAgain and PlanSweep: 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60 + 60 = 243 s of waits in 9 retries. Each
 * retry reads figures again, and returns legs that were already frozen. A run that stops between phases leaves its
 * policy half done. The first retry comes soon, because figures age. A retry after the run's time ends the run.
 */
export const PLAN_RETRY = retried(passingFaults, 9, 1, { mostSeconds: 60, isSpread: true })

/**
 * SettleRun: 2 + 4 + 8 + 16 + 32 + 60 * 5 = 362 s of waits in 10 retries. Every movement has ended, so waiting costs
 * nothing. If it fails, a person is called, and the policy stays occupied until the run's time is over.
 */
export const SETTLE_RETRY = retried(passingFaults, 10, 2, { mostSeconds: 60, isSpread: true })

/**
 * A leg: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries of its start and of the read of its end. Its name starts once,
 * so a retry is safe. A bad end (States.TaskFailed) is its result, not a fault.
 */
export const LEG_RETRY = retried(
  [
    'StepFunctions.ExecutionLimitExceededException',
    'StepFunctions.AWSStepFunctionsException',
    'StepFunctions.SdkClientException',
    'StepFunctions.ThrottlingException',
  ],
  5,
  1,
)

/**
 * Announce for a movement that waits for people: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. The movement waits
 * much longer anyway. Without the announcement people still find it in the list of waiting cases.
 */
export const ANNOUNCE_RETRY = retried([...passingFaults, ErrorName.OwnFault], 5, 1)
