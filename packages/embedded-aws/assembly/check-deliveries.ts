// Checks at the start what AWS would notice only at the first delivery: every target and dead-letter queue exists, and
// the role or service that delivers has the permission.

import { Refusal } from '../aws-error.ts'
import { allows } from '../endpoint/access-policy.ts'
import type { RuleTarget } from '../events/event-pattern.ts'
import { DEFAULT_BUS } from '../events/put-events.ts'
import type { Deployment } from './deployment.ts'
import { allowsService } from './read-grants.ts'

const EVENTS = 'events.amazonaws.com'

/** Throws a Refusal that names the rule, the schedule or the function. */
export function checkDeliveries(plan: Deployment): void {
  for (const rule of plan.rules) {
    if (rule.bus !== DEFAULT_BUS && !plan.buses.some(({ name }) => name === rule.bus)) {
      throw new Refusal(rule.path, `its event bus is not in the assembly: ${rule.bus}`)
    }
    for (const target of rule.targets) checkRuleTarget(plan, rule, target)
  }
  for (const schedule of plan.schedules) checkSchedule(plan, schedule)
  for (const { functionArn, isSigned, path } of plan.functionUrls) {
    kindOf(plan, functionArn, path)
    // Within one account, a caller who signs needs only a permission of its own.
    if (isSigned) continue
    const toAnybody = { principal: '*', action: 'lambda:InvokeFunctionUrl', resourceArn: functionArn }
    if (allowsService(plan.grants, toAnybody, '')) continue
    throw new Refusal(path, `no AWS::Lambda::Permission lets anybody call the URL of ${functionArn}`)
  }
  for (const { path, redrive } of plan.queues) if (redrive !== undefined) checkQueue(plan, path, redrive.deadLetterArn)
  for (const source of plan.eventSources) checkEventSource(plan, source)
  for (const bucket of plan.buckets) checkBucket(plan, bucket)
  for (const [functionArn, { deadLetterArn, onFailureArn }] of plan.asyncSettings) {
    const owner = plan.functions.find((candidate) => candidate.arn === functionArn)
    if (owner === undefined)
      throw new Refusal(functionArn, 'is set up for events, but is not a function of the assembly')
    for (const queueArn of [deadLetterArn, onFailureArn]) checkQueueByRole(plan, owner.path, owner.roleArn, queueArn)
  }
}

function checkRuleTarget(
  plan: Deployment,
  { arn, path }: Deployment['rules'][number],
  { deadLetterArn, roleArn, targetArn }: RuleTarget,
): void {
  const toFunction = { principal: EVENTS, action: 'lambda:InvokeFunction', resourceArn: targetArn }
  if (kindOf(plan, targetArn, path) === 'state-machine') {
    checkRole(plan, path, roleArn, 'states:StartExecution', targetArn)
  } else if (kindOf(plan, targetArn, path) === 'queue') {
    const toTarget = { principal: EVENTS, action: 'sqs:SendMessage', resourceArn: targetArn }
    if (!allowsService(plan.grants, toTarget, arn)) {
      throw new Refusal(path, `no AWS::SQS::QueuePolicy lets ${EVENTS} send to ${targetArn} for this rule`)
    }
  } else if (roleArn !== undefined) {
    checkRole(plan, path, roleArn, 'lambda:InvokeFunction', targetArn)
  } else if (!allowsService(plan.grants, toFunction, arn)) {
    throw new Refusal(path, `no AWS::Lambda::Permission lets ${EVENTS} invoke ${targetArn} for this rule`)
  }
  if (deadLetterArn === undefined) return
  checkQueue(plan, path, deadLetterArn)
  const toQueue = { principal: EVENTS, action: 'sqs:SendMessage', resourceArn: deadLetterArn }
  if (!allowsService(plan.grants, toQueue, arn)) {
    throw new Refusal(path, `no AWS::SQS::QueuePolicy lets ${EVENTS} send to ${deadLetterArn} for this rule`)
  }
}

function checkSchedule(
  plan: Deployment,
  { deadLetterArn, input, path, roleArn, targetArn }: Deployment['schedules'][number],
): void {
  const kind = kindOf(plan, targetArn, path)
  if (kind === 'queue') throw new Refusal(path, 'a schedule with a queue as its target is not supported')
  const isMachine = kind === 'state-machine'
  // AWS does not document the input of an execution when the schedule sets none.
  if (isMachine && input === undefined) throw new Refusal(`${path}.Target.Input`, 'is missing')
  checkRole(plan, path, roleArn, isMachine ? 'states:StartExecution' : 'lambda:InvokeFunction', targetArn)
  checkQueueByRole(plan, path, roleArn, deadLetterArn)
}

/** S3 refuses a notification whose target does not admit the bucket. */
function checkBucket(plan: Deployment, { arn, notified, path }: Deployment['buckets'][number]): void {
  for (const { targetArn } of notified) {
    const isFunction = kindOf(plan, targetArn, path) === 'function'
    const action = isFunction ? 'lambda:InvokeFunction' : 'sqs:SendMessage'
    const wanted = { principal: 's3.amazonaws.com', action, resourceArn: targetArn }
    if (allowsService(plan.grants, wanted, arn)) continue
    const grant = isFunction ? 'AWS::Lambda::Permission' : 'AWS::SQS::QueuePolicy'
    throw new Refusal(path, `no ${grant} lets S3 notify ${targetArn} for this bucket`)
  }
}

/** The permissions of Lambda's pollers. AWS checks them when it creates the mapping. */
const POLLING = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']

function checkEventSource(plan: Deployment, { functionArn, path, queueArn }: Deployment['eventSources'][number]): void {
  const reader = plan.functions.find(({ arn }) => arn === functionArn)
  if (reader === undefined) throw new Refusal(path, `its function is not in the assembly: ${functionArn}`)
  const queue = plan.queues.find(({ arn }) => arn === queueArn)
  if (queue === undefined) throw new Refusal(path, `its queue is not in the assembly: ${queueArn}`)
  for (const action of POLLING) checkRole(plan, path, reader.roleArn, action, queueArn)
  if (queue.visibilityTimeoutSeconds < reader.timeoutSeconds) {
    const [hidden, runs] = [queue.visibilityTimeoutSeconds, reader.timeoutSeconds]
    throw new Refusal(
      path,
      `its queue hides a message for ${hidden} s, less than the ${runs} s that its function may run`,
    )
  }
}

function kindOf(plan: Deployment, targetArn: string, path: string): 'function' | 'state-machine' | 'queue' {
  if (plan.functions.some(({ arn }) => arn === targetArn)) return 'function'
  if (plan.stateMachines.some(({ arn }) => arn === targetArn)) return 'state-machine'
  if (plan.queues.some(({ arn }) => arn === targetArn)) return 'queue'
  throw new Refusal(path, `its target is not a function, state machine or queue of the assembly: ${targetArn}`)
}

function checkQueueByRole(
  plan: Deployment,
  path: string,
  roleArn: string | undefined,
  queueArn: string | undefined,
): void {
  if (queueArn === undefined) return
  checkQueue(plan, path, queueArn)
  checkRole(plan, path, roleArn, 'sqs:SendMessage', queueArn)
}

function checkQueue(plan: Deployment, path: string, queueArn: string): void {
  if (plan.queues.some(({ arn }) => arn === queueArn)) return
  throw new Refusal(path, `its dead-letter queue is not in the assembly: ${queueArn}`)
}

function checkRole(
  { policies }: Deployment,
  path: string,
  roleArn: string | undefined,
  action: string,
  resource: string,
): void {
  if (roleArn === undefined) throw new Refusal(path, `it has no role that allows ${action} on ${resource}`)
  const statements = policies.get(roleArn)
  if (statements === undefined) throw new Refusal(path, `its role is not in the assembly: ${roleArn}`)
  if (!allows(statements, { action, resource })) {
    throw new Refusal(path, `its role ${roleArn} does not allow ${action} on ${resource}`)
  }
}
