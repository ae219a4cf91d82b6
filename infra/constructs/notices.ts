// Declares the sending of notices, where treasury.json has some. Each notice has a rule. It has a topic too where it names
// no topic of the account, and on one machine. One queue leads to the function Notify, which gets its rights here. A message
// that fails ten times, in about an hour, goes to the dead-letter queue.
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib'
import { EventField, type IEventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import { type CfnTopic, Topic } from 'aws-cdk-lib/aws-sns'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { Environment } from '../../core/contract/environment.ts'
import { APPROVAL_AWAITED, EVENT_SOURCE, FILE_REFUSED, ResultEvent, SwitchEvent } from '../../core/contract/events.ts'
import { type Notice, NoticeAbout } from '../../core/contract/notices.ts'
import { NOTICE_QUEUE, noticeResource } from '../../core/contract/sent-notices.ts'
import { Verb } from '../../core/contract/states.ts'
import { STEPS } from '../steps.ts'
import { subscribe } from './alarm-topics.ts'
import { idOnBus, nameIn } from './deployed-name.ts'
import { mayReadSecret } from './key-access.ts'
import { HAND_OVER } from './request-bus.ts'
import { asRuleTarget, filledByRules, RULES_OF_NOTICES } from './rule-queues.ts'
import type { Place } from './step-rights.ts'
import { VerbFunction } from './verb-function.ts'

export interface NoticesProps extends Place {
  readonly bus: IEventBus
  readonly deadLetters: IQueue
  /** Allows a receiver on the same machine. */
  readonly isDesk: boolean
}

/** Time in which a received message is hidden from others. AWS advises six times the function's timeout. */
const HIDDEN = Duration.seconds(6 * STEPS.notices.notify.timeoutSeconds)
/** Most receives of a message. With the time above that is an hour, in which a receiver may recover. */
const MOST_RECEIVES = 10
const BATCH = 10
/** Most concurrent invocations: Lambda's minimum. */
const MOST_AT_ONCE = 2

export class Notices extends Construct {
  /** `treasury` has at least one notice. */
  constructor(scope: Construct, id: string, { bus, deadLetters, isDesk, ...place }: NoticesProps) {
    super(scope, id)
    const { notices = [] } = place.treasury
    const queue = new Queue(this, 'Queue', {
      queueName: nameIn(this, NOTICE_QUEUE),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: HIDDEN,
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: MOST_RECEIVES },
    })
    filledByRules(queue, [RULES_OF_NOTICES])
    const target = asRuleTarget(this, 'QueueOfRules', queue)
    for (const notice of notices) this.declareRule(notice, bus, target, deadLetters)
    const topics = notices.flatMap((notice) => {
      const { sns, topicArn } = notice.to
      if (topicArn !== undefined && !isDesk) return topicArn
      return sns === undefined && topicArn === undefined ? [] : this.declareTopic(notice)
    })
    const secrets = new Set(notices.flatMap(({ to }) => to.webhook?.secret ?? []))
    const variables = {
      [Environment.TopicPrefix]: this.topicArn(''),
      [Environment.IsDesk]: isDesk ? 'true' : undefined,
    }
    const notify = new VerbFunction(this, Verb.Notify, { ...place, variables }, [
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [queue.queueArn],
      }),
      ...[...secrets].flatMap((secret) => mayReadSecret(this, secret)),
      ...(topics.length === 0
        ? []
        : [new PolicyStatement({ actions: ['sns:Publish'], resources: [...new Set(topics)] })]),
    ])
    this.handTo(notify, queue)
  }

  /** Passes on every event that the notice may be about. Notify decides which of them it is about. */
  private declareRule({ name, about }: Notice, bus: IEventBus, queue: IQueue, deadLetters: IQueue): void {
    const rule = new Rule(this, idOnBus(this, `Rule-${name}`), {
      ruleName: nameIn(this, noticeResource(name)),
      description: `Hands over what the notice ${name} may be about.`,
      eventBus: bus,
      eventPattern: { source: [EVENT_SOURCE], detailType: [...new Set(about.flatMap((each) => TYPES[each]))] },
    })
    const message = RuleTargetInput.fromObject({ notice: name, event: EventField.fromPath('$') })
    rule.addTarget(new SqsQueue(queue, { message, deadLetterQueue: deadLetters, ...HAND_OVER }))
  }

  /**
   * Declares the notice's topic, encrypted with AWS's key for SNS. That key admits the publisher, which is a role of
   * this account.
   */
  private declareTopic({ name, to }: Notice): string {
    const topic = new Topic(this, `Topic-${name}`, {
      topicName: nameIn(this, noticeResource(name)),
      displayName: 'Sluice',
      enforceSSL: true,
    })
    ;(topic.node.defaultChild as CfnTopic).kmsMasterKeyId = 'alias/aws/sns'
    subscribe(topic, to.sns)
    return this.topicArn(name)
  }

  /** The topic's ARN, built from its name. An empty name gives the prefix of all topics. */
  private topicArn(name: string): string {
    return Stack.of(this).formatArn({
      service: 'sns',
      resource: nameIn(this, name === '' ? '' : noticeResource(name)),
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    })
  }

  private handTo({ lambda }: VerbFunction, queue: Queue): void {
    const mapping = new CfnEventSourceMapping(this, 'Mapping', {
      eventSourceArn: queue.queueArn,
      functionName: lambda.functionName,
      batchSize: BATCH,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency: MOST_AT_ONCE },
    })
    // When the mapping is created, Lambda checks the function's permission to receive messages.
    if (lambda.role !== undefined) mapping.node.addDependency(lambda.role)
  }
}

const TYPES: Readonly<Record<NoticeAbout, readonly string[]>> = {
  [NoticeAbout.NeedsPerson]: [...Object.values(ResultEvent), FILE_REFUSED],
  [NoticeAbout.WaitsForApproval]: [ResultEvent.Run, APPROVAL_AWAITED],
  [NoticeAbout.Halted]: Object.values(SwitchEvent),
  [NoticeAbout.RunEnded]: [ResultEvent.Run],
}
