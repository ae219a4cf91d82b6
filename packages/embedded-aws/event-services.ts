// Connects the parts that bring events to functions and state machines: buses, schedules, queues, buckets and asynchronous
// invocations, in one state directory. It costs a start nothing until there is something to deliver.
import path from 'node:path'
import type { Deployment } from './assembly/deployment.ts'
import { AwsError } from './aws-error.ts'
import type { AwsClock } from './clock.ts'
import type { DeliveryHook } from './delivery/deliveries.ts'
import { Deliveries } from './delivery/deliveries.ts'
import type { Disk } from './disk.ts'
import { EventBuses } from './events/event-buses.ts'
import { ASYNC_DEFAULTS, AsyncInvocations, type FailedInvocation } from './lambda/async-invocations.ts'
import { BucketStore, type ObjectVersion } from './s3/bucket-store.ts'
import { busEvent, isNotified, record } from './s3/object-created.ts'
import { type ClockSetBack, Schedules } from './schedules/schedules.ts'
import { EventSource } from './sqs/event-source.ts'
import { type MessageAttribute, QueueStore } from './sqs/queue-store.ts'
import type { Invocation } from './states/run.ts'

export interface EventServicesOptions {
  readonly deployment: Deployment
  readonly stateDir: string
  readonly disk: Disk
  readonly clock: AwsClock
  readonly random: () => number
  readonly newId: () => string
  readonly onDelivery: DeliveryHook | undefined
  readonly onClockSetBack: ((setBack: ClockSetBack) => void) | undefined
  readonly onFailedInvocation: ((failed: FailedInvocation) => void) | undefined
  readonly invoke: (functionArn: string, payload: string) => Promise<Invocation>
  /** Checks a permission of a function's role. Throws AwsError. */
  readonly authorise: (functionArn: string, action: string, resource: string) => void
  /** Throws AwsError. */
  readonly startExecution: (stateMachineArn: string, name: string, input: string) => void
}

export interface EventServices {
  readonly buses: EventBuses
  readonly queues: readonly QueueStore[]
  readonly buckets: readonly BucketStore[]
  /** Accepts the notifications of a new object. They are on disk when it returns. Throws ThrottlingException. */
  notify(bucket: BucketStore, version: ObjectVersion): void
  readonly schedules: Schedules
  /** Continues the deliveries that an earlier process left. */
  resume(): void
  /** Resolves when no delivery is pending: its function has answered, or the retries have ended. */
  untilDelivered(): Promise<void>
  /** Stops deliveries. Pending ones stay on disk. */
  halt(): void
}

export function eventServices(options: EventServicesOptions): EventServices {
  const { clock, deployment, disk, invoke, newId, onClockSetBack, onDelivery, random, stateDir } = options
  const queuesDir = path.join(stateDir, 'queues')
  const queues = deployment.queues.map((queue) => new QueueStore(queuesDir, queue, clock, newId, disk))
  const findQueue = (queueArn: string) => queues.find(({ definition }) => definition.arn === queueArn)
  for (const queue of queues) {
    const { redrive } = queue.definition
    const deadLetters = redrive && findQueue(redrive.deadLetterArn)
    if (deadLetters !== undefined) queue.redriveTo(deadLetters)
  }
  const sendMessage = (queueArn: string, body: string, attributes: Readonly<Record<string, MessageAttribute>>) => {
    const queue = findQueue(queueArn)
    // A delivery accepted before the assembly changed may name a removed queue. Its dead letter is lost.
    queue?.send(body, attributes)
  }
  const asyncInvocations = new AsyncInvocations({
    file: path.join(stateDir, 'async-invocations.jsonl'),
    disk,
    clock,
    newId,
    settingsOf: (functionArn) => deployment.asyncSettings.get(functionArn) ?? ASYNC_DEFAULTS,
    invoke,
    onFailure: options.onFailedInvocation,
    sendMessage,
  })
  const deliveries = new Deliveries({
    file: path.join(stateDir, 'deliveries.jsonl'),
    disk,
    clock,
    random,
    newId,
    hook: onDelivery,
    invokeLater(functionArn, payload) {
      if (!deployment.functions.some(({ arn }) => arn === functionArn)) {
        throw new AwsError('ResourceNotFoundException', `Function not found: ${functionArn}`)
      }
      asyncInvocations.put(functionArn, payload)
    },
    startExecution: (arn, name, input) => startOnce(options.startExecution, arn, name, input),
    enqueue(queueArn, body) {
      const queue = findQueue(queueArn)
      if (queue === undefined) throw new AwsError('ResourceNotFoundException', `Queue not found: ${queueArn}`)
      queue.send(body, {})
    },
    sendMessage,
  })
  const { account, region, rules, schedules } = deployment
  const common = { account, region, deliveries, clock, newId }
  const scheduler = new Schedules({
    ...common,
    disk,
    schedules,
    file: path.join(stateDir, 'schedules.json'),
    onClockSetBack,
  })
  const eventSources = deployment.eventSources.flatMap((definition) => {
    const queue = findQueue(definition.queueArn)
    const authorise = (action: string, resource: string) => options.authorise(definition.functionArn, action, resource)
    return queue === undefined ? [] : [new EventSource({ definition, queue, region, clock, invoke, authorise })]
  })
  const buses = new EventBuses({ ...common, buses: deployment.buses, rules })
  const bucketsDir = path.join(stateDir, 'buckets')
  return {
    buses,
    queues,
    buckets: deployment.buckets.map((bucket) => new BucketStore(bucketsDir, bucket, clock, newId, disk)),
    notify({ definition }, version) {
      const requestId = newId()
      if (definition.notifiesBus) buses.report(busEvent(definition, version, requestId, account))
      const message = JSON.stringify({ Records: [record(definition, version, requestId, { account, region })] })
      const targets = definition.notified.filter((target) => isNotified(target, version.key))
      deliveries.put(targets.map(({ targetArn }) => delivered(targetArn, definition.arn, message, newId())))
    },
    schedules: scheduler,
    resume() {
      asyncInvocations.resume()
      deliveries.resume()
      for (const source of eventSources) source.start()
    },
    async untilDelivered() {
      await deliveries.untilEmpty()
      await asyncInvocations.untilEmpty()
      for (const source of eventSources) await source.untilEmpty()
    },
    halt() {
      scheduler.halt()
      deliveries.halt()
      asyncInvocations.halt()
      for (const source of eventSources) source.halt()
    },
  }
}

/** S3 does not say how often it tries again. It has no dead letters of its own. */
const S3_RETRIES = { maxRetries: 185, maxAgeSeconds: 86_400 }

function delivered(targetArn: string, sourceArn: string, payload: string, executionName: string) {
  const place = { targetArn, sourceArn, roleArn: undefined, deadLetterArn: undefined }
  return { ...S3_RETRIES, ...place, source: 'rule' as const, payload, original: payload, executionName }
}

/** Starts an execution once. The name belongs to one delivery, so an existing execution is from an earlier attempt. */
function startOnce(start: EventServicesOptions['startExecution'], arn: string, name: string, input: string): void {
  try {
    start(arn, name, input)
  } catch (error) {
    if (!(error instanceof AwsError) || error.name !== 'ExecutionAlreadyExists') throw error
  }
}
