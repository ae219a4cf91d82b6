// Owns the receivers of alarms. Each severity has a topic: the one that the account gives, or one made here for the
// addresses of treasury.json. Alarms also notify `topicArn` of treasury.json, and topics of the app around. A topic
// that is made here is encrypted with a key that CloudWatch may use, and requires TLS.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { MAIL_SCHEME } from '../../core/contract/addresses.ts'
import { Severity, topicOf } from '../../core/contract/alarms.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { nameIn } from './deployed-name.ts'

export interface AlarmTopicsProps {
  readonly alarms: Treasury['alarms']
  /** Topics of the app around us, which the alarms of a severity notify as well. */
  readonly also?: Readonly<Partial<Record<Severity, ITopic>>>
}

export class AlarmTopics extends Construct {
  private readonly actions: Readonly<Record<Severity, readonly IAlarmAction[]>>

  constructor(scope: Construct, id: string, { alarms, also = {} }: AlarmTopicsProps) {
    super(scope, id)
    let key: Key | undefined
    const topic = (severity: Severity): ITopic => {
      const given = alarms?.topics?.[severity]
      if (given !== undefined) return Topic.fromTopicArn(this, `Given-${severity}`, given)
      key ??= this.declareKey()
      const made = this.declareTopic(severity, key)
      subscribe(made, alarms?.[severity])
      return made
    }
    const topics = { page: topic(Severity.Page), ticket: topic(Severity.Ticket) }
    const named =
      alarms?.topicArn === undefined ? [] : [new SnsAction(Topic.fromTopicArn(this, 'Named', alarms.topicArn))]
    const actionsOf = (severity: Severity) => {
      const added = also[severity]
      return [new SnsAction(topics[severity]), ...named, ...(added === undefined ? [] : [new SnsAction(added)])]
    }
    this.actions = { page: actionsOf(Severity.Page), ticket: actionsOf(Severity.Ticket) }
  }

  actionsOf(severity: Severity): readonly IAlarmAction[] {
    return this.actions[severity]
  }

  /**
   * Declares our own key, because AWS's key for SNS does not admit alarms. It is deleted with the stack, because it
   * encrypts nothing that is kept.
   */
  private declareKey(): Key {
    const key = new Key(this, 'Key', {
      description: 'Encrypts what alarms of Sluice tell.',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
      pendingWindow: Duration.days(7),
    })
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [cloudWatch(this)],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        // In a key's own policy "*" means this key.
        resources: ['*'],
      }),
    )
    return key
  }

  private declareTopic(severity: Severity, masterKey: Key): Topic {
    const topic = new Topic(this, severity, {
      topicName: nameIn(this, topicOf(severity)),
      displayName: `Sluice ${severity}`,
      masterKey,
      enforceSSL: true,
    })
    // The default policy admits the account's own alarms, and any other policy replaces it.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [cloudWatch(this)],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
      }),
    )
    return topic
  }
}

/** CloudWatch, for alarms of this account only. */
function cloudWatch(scope: Construct): ServicePrincipal {
  return new ServicePrincipal('cloudwatch.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  })
}

/** Subscribes the addresses. The address is the construct's id, so a new address leaves the others unchanged. */
export function subscribe(topic: Topic, addresses: readonly string[] = []): void {
  for (const address of new Set(addresses)) {
    const isMail = address.startsWith(MAIL_SCHEME)
    new Subscription(topic, address, {
      topic,
      endpoint: isMail ? address.slice(MAIL_SCHEME.length) : address,
      protocol: isMail ? SubscriptionProtocol.EMAIL : SubscriptionProtocol.HTTPS,
    })
  }
}
