// Owns the way of payout files from S3: the rule for new objects, their queue, and StartOnFile behind it. Without a policy that
// takes files none of these exists. The buckets are the company's own, except at a desk, which has no others.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { type IEventBus, Rule } from 'aws-cdk-lib/aws-events'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import { CfnBucket } from 'aws-cdk-lib/aws-s3'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { Environment } from '../../core/contract/environment.ts'
import { FILE_QUEUE } from '../../core/contract/events.ts'
import { Verb } from '../../core/contract/states.ts'
import type { PlaceOfFiles } from '../../core/treasury/policy-files.ts'
import { nameIn } from './deployed-name.ts'
import { HAND_OVER } from './request-bus.ts'
import { asRuleTarget, filledByRules } from './rule-queues.ts'
import { setAside } from './set-aside.ts'
import type { Place } from './step-rights.ts'
import { SOURCE_FUNCTION, sourcesOf, VerbFunction } from './verb-function.ts'

export const FILES_RULE = 'sluice-payout-files'

export interface PayoutFilesProps extends Place {
  readonly bus: IEventBus
  readonly deadLetters: IQueue
  /** At least one. */
  readonly files: readonly PlaceOfFiles[]
  readonly isDesk: boolean
}

/**
 * Time after which a message comes again: how often a file asks for its policy while another run holds it. It is far more than
 * six times the function's timeout, which AWS advises.
 */
const HIDDEN = Duration.minutes(15)
/** Most receives of a message. With the time above that is a day, as long as a plan waits for approval by default. */
const MOST_RECEIVES = 96
/** Most concurrent invocations: Lambda's minimum. */
const MOST_AT_ONCE = 2

export class PayoutFiles extends Construct {
  readonly startOnFile: VerbFunction

  constructor(scope: Construct, id: string, { bus, deadLetters, files, isDesk, ...place }: PayoutFilesProps) {
    super(scope, id)
    const queue = new Queue(this, 'Queue', {
      queueName: nameIn(this, FILE_QUEUE),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // SQS's maximum, and equal to the dead-letter queue's, because a message keeps its age when it moves there.
      retentionPeriod: Duration.days(14),
      visibilityTimeout: HIDDEN,
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: MOST_RECEIVES },
    })
    filledByRules(queue, [{ name: FILES_RULE, isOnOurBus: false }])
    this.#declareRule(files, asRuleTarget(this, 'QueueOfRule', queue), deadLetters)
    if (isDesk) for (const bucket of new Set(files.map((each) => each.files.bucket))) this.#declareBucket(bucket)
    this.startOnFile = this.#read({ ...place, bus }, queue, deadLetters, files)
  }

  /** Passes on the new objects of these buckets under any of the prefixes. The function knows which prefix is whose. */
  #declareRule(files: readonly PlaceOfFiles[], target: IQueue, deadLetters: IQueue): void {
    const prefixes = files.flatMap(({ files: { prefix } }) => prefix ?? [])
    const isEveryKey = prefixes.length < files.length
    const rule = new Rule(this, 'Created', {
      ruleName: nameIn(this, FILES_RULE),
      description: 'Hands over new objects that are files of payouts.',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        account: [Stack.of(this).account],
        detail: {
          bucket: { name: [...new Set(files.map((each) => each.files.bucket))] },
          ...(!isEveryKey && { object: { key: prefixes.map((prefix) => ({ prefix })) } }),
        },
      },
    })
    rule.addTarget(new SqsQueue(target, { deadLetterQueue: deadLetters, ...HAND_OVER }))
  }

  #read(place: Place & { readonly bus: IEventBus }, queue: Queue, deadLetters: IQueue, files: readonly PlaceOfFiles[]) {
    const variables = { [Environment.DeadLetterQueue]: deadLetters.queueUrl }
    const objects = files.map(({ files: { bucket, prefix = '' } }) => `${bucket}/${prefix}*`)
    const startOnFile = new VerbFunction(this, Verb.StartOnFile, { ...place, variables }, [
      new PolicyStatement({
        actions: ['s3:GetObjectVersion'],
        resources: objects.map((each) => `arn:${Stack.of(this).partition}:s3:::${each}`),
      }),
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [queue.queueArn],
      }),
      // Lambda itself sends nothing for this function, so no other function can use this permission.
      new PolicyStatement({
        actions: ['sqs:SendMessage'],
        resources: [deadLetters.queueArn],
        conditions: { ArnLike: { [SOURCE_FUNCTION]: sourcesOf(this, Verb.StartOnFile) } },
      }),
    ])
    for (const each of objects) {
      setAside(startOnFile, {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${each}]`,
        reason: 'The company names its files when it puts them there. The policy takes every file of its place.',
      })
    }
    const { lambda } = startOnFile
    const mapping = new CfnEventSourceMapping(this, 'Mapping', {
      eventSourceArn: queue.queueArn,
      functionName: lambda.functionName,
      // A file of 2,000 rows takes seconds, so one file does not hold up others.
      batchSize: 1,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency: MOST_AT_ONCE },
    })
    // When the mapping is created, Lambda checks the function's permission to receive messages.
    if (lambda.role !== undefined) mapping.node.addDependency(lambda.role)
    return startOnFile
  }

  /** A bucket as a company's own has to be. */
  #declareBucket(bucketName: string): void {
    const bucket = new CfnBucket(this, `Bucket-${bucketName}`, {
      bucketName,
      versioningConfiguration: { status: 'Enabled' },
      notificationConfiguration: { eventBridgeConfiguration: { eventBridgeEnabled: true } },
    })
    bucket.applyRemovalPolicy(RemovalPolicy.RETAIN)
  }
}
