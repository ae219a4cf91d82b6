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

/**
 * Every step: 60 retries with some 14 minutes of waits, 15 s on average. Many runs finish at the service's pace, and a halt
 * of a market is outlasted. Jitter keeps them from returning together. A step that still has no turn ends as after any lasting
 * fault.
 */
export const RATE_LIMIT_RETRY: RetryProps = {
  errors: [ErrorName.RateLimited],
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.seconds(30),
  maxAttempts: 60,
  jitterStrategy: JitterType.FULL,
}

/**
 * Quote and CheckWithdrawal: 1 + 2 + 4 = 7 s of waits in 3 retries. Nothing was sent yet, so an early end costs
 * nothing, and a price that is some seconds old is useless.
 */
export const QUOTE_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 3,
}

/**
 * Every step of a movement, for faults that a person must fix, such as a key or a permission. Waits 15 + 30 + 60 + 120
 * + 240 + 300 * 3 = 1365 s in 8 retries. That is longer than an intent lives by default. Once the fault is fixed, the
 * run continues automatically.
 */
export const OWN_FAULT_RETRY: RetryProps = {
  errors: [ErrorName.KeyFault, ErrorName.OwnFault],
  interval: Duration.seconds(15),
  backoffRate: 2,
  maxDelay: Duration.seconds(300),
  maxAttempts: 8,
}

/**
 * Order: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. The first comes soon, because a quote lives for five seconds.
 * All together outlast a token's default life, so a lost answer is looked up instead of abandoned.
 */
export const ORDER_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 5,
}

/**
 * Withdraw: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. Nothing is urgent. An unreadable service during a doubt is
 * an outcome with its own waits, not a fault.
 */
export const WITHDRAW_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 5,
}

/**
 * PollOrder and PollWithdrawal: 2 + 4 + 8 + 16 + 32 + 60 = 122 s of waits in 6 retries. The movement exists and only
 * its end is read, so waiting costs nothing. Jitter keeps many runs from returning in the same second.
 */
export const POLL_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.seconds(60),
  maxAttempts: 6,
  jitterStrategy: JitterType.FULL,
}

/**
 * Conclude: 2 + 4 + 8 + 16 + 32 + 60 = 122 s of waits in 6 retries. It decides last on a run and needs only the
 * journal. If it fails, a person is called.
 */
export const CONCLUDE_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.seconds(60),
  maxAttempts: 6,
}

/**
 * PlanRebalance, PlanAgain and PlanSweep: 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60 + 60 = 243 s of waits in 9 retries. Each
 * retry reads figures again, and returns legs that were already frozen. A run that stops between phases leaves its
 * policy half done. The first retry comes soon, because figures age. A retry after the run's time ends the run.
 */
export const PLAN_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxDelay: Duration.seconds(60),
  maxAttempts: 9,
  jitterStrategy: JitterType.FULL,
}

/**
 * SettleRun: 2 + 4 + 8 + 16 + 32 + 60 * 5 = 362 s of waits in 10 retries. Every movement has ended, so waiting costs
 * nothing. If it fails, a person is called, and the policy stays occupied until the run's time is over.
 */
export const SETTLE_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.seconds(60),
  maxAttempts: 10,
  jitterStrategy: JitterType.FULL,
}

/**
 * A leg: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries of its start and of the read of its end. Its name starts once,
 * so a retry is safe. A bad end (States.TaskFailed) is its result, not a fault.
 */
export const LEG_RETRY: RetryProps = {
  errors: [
    'StepFunctions.ExecutionLimitExceededException',
    'StepFunctions.AWSStepFunctionsException',
    'StepFunctions.SdkClientException',
    'StepFunctions.ThrottlingException',
  ],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 5,
}

/**
 * Announce for a movement that waits for people: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. The movement waits
 * much longer anyway. Without the announcement people still find it in the list of waiting cases.
 */
export const ANNOUNCE_RETRY: RetryProps = {
  errors: [...passingFaults, ErrorName.OwnFault],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 5,
}
