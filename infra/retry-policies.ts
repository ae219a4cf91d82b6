// Owns how often each step is tried again, and after which waits. Only faults are retried: an expected
// outcome is an output. Trying again is safe because every step reads the journal before it acts.
import { Duration } from 'aws-cdk-lib'
import { JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions'
import { ErrorName, LambdaFault } from '../core/contract/errors.ts'

/** What may pass by itself. Refused, IntentLost and Defect do not: they go to Conclude at once. Faults of ours have waits of their own. */
const passingFaults = [ErrorName.Transient, ...LambdaFault]

/**
 * Every step: some 14 minutes of waits in 60 retries, of 15 s on the average, so that many runs at once come to their end at
 * the pace that the service allows. Jitter keeps them from coming back together. Who has no turn by then ends as after any
 * other fault that did not pass.
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
 * Quote and CheckWithdrawal: 1 + 2 + 4 = 7 s of waits in 3 retries. Nothing has been sent yet, so giving up early costs nothing;
 * a price older than some seconds is of no use to anyone.
 */
export const QUOTE_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 3,
}

/**
 * Every step of a movement, for what somebody of ours puts right, a key or a permission: 15 + 30 + 60 + 120 + 240 + 300 * 3 = 1365 s of waits in 8
 * retries, longer than an intent lives by default. Once it is put right, the run goes on by itself.
 */
export const OWN_FAULT_RETRY: RetryProps = {
  errors: [ErrorName.KeyFault, ErrorName.OwnFault],
  interval: Duration.seconds(15),
  backoffRate: 2,
  maxDelay: Duration.seconds(300),
  maxAttempts: 8,
}

/**
 * Order: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. The first comes at once, because the quote lives
 * for five seconds; the last outlasts a token, so that a lost answer is looked up rather than given up.
 */
export const ORDER_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 5,
}

/**
 * Withdraw: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. Nothing hurries it; a service that cannot be read
 * while a send is in doubt is no fault but an outcome, with waits of its own.
 */
export const WITHDRAW_RETRY: RetryProps = {
  errors: passingFaults,
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 5,
}

/**
 * PollOrder and PollWithdrawal: 2 + 4 + 8 + 16 + 32 + 60 = 122 s of waits in 6 retries. The movement exists and only its end is
 * to be read, so patience is free; jitter keeps many runs from coming back at the same second.
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
 * Conclude: 2 + 4 + 8 + 16 + 32 + 60 = 122 s of waits in 6 retries. It is the last word on a run and needs
 * nothing but the journal; without it a person is called.
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
 * reads figures anew, and legs that a plan has frozen are answered again; a run that gives up between its phases
 * leaves its policy half done. The first retry comes soon, as what is read ages; those after a run's time end it.
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
 * SettleRun: 2 + 4 + 8 + 16 + 32 + 60 * 5 = 362 s of waits in 10 retries. Everything has moved that will, so patience
 * is free; without it a person is called, and the policy is not free until the run's time is over.
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
 * A leg: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries, of starting it and asking for its end. Its name starts once,
 * so trying again is safe; that it ended badly (States.TaskFailed) is no fault, but its result.
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
 * Announce, of a movement that waits for people: 1 + 2 + 4 + 8 + 16 = 31 s of waits in 5 retries. The movement waits for much
 * longer anyway. After them it waits untold, and people find it where they look for what waits.
 */
export const ANNOUNCE_RETRY: RetryProps = {
  errors: [...passingFaults, ErrorName.OwnFault],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 5,
}
