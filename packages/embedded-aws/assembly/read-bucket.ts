// Reads buckets of S3 from their resolved properties: versioning, notifications of new objects, and what a bucket's policy
// denies. Refuses notifications of anything else. CDK writes the notifications either into the bucket or into a resource of
// its own, whose function is not run.
// Source: CloudFormation template reference, AWS::S3::Bucket; aws-cdk-lib, Custom::S3BucketNotifications.
import { parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import { Fields, isObject } from '../fields.ts'
import type { BucketDefinition, NotifiedTarget } from '../s3/bucket-store.ts'
import type { Placed } from './identity.ts'
import { isSecureTransportOnly } from './read-grants.ts'

/** The resource in which CDK puts the notifications of a bucket. */
export const CDK_NOTIFICATIONS = 'Custom::S3BucketNotifications'

type Notifications = Pick<BucketDefinition, 'notifiesBus' | 'notified'>

/** The names of one form of the settings: CloudFormation's and the API's differ. */
interface Form {
  readonly functions: string
  readonly functionArn: string
  readonly queueArn: string
  readonly events: string
  readonly filter: string
  readonly rules: string
}

const IN_TEMPLATE: Form = {
  ...{ functions: 'LambdaConfigurations', functionArn: 'Function', queueArn: 'Queue', events: 'Event' },
  ...{ filter: 'S3Key', rules: 'Rules' },
}
const IN_API: Form = {
  ...{ functions: 'LambdaFunctionConfigurations', functionArn: 'LambdaFunctionArn', queueArn: 'QueueArn' },
  ...{ events: 'Events', filter: 'Key', rules: 'FilterRules' },
}

export class BucketReader {
  readonly #buckets: (BucketDefinition & Placed)[] = []
  readonly #notifications = new Map<string, Notifications>()
  /** Statements by bucket ARN. */
  readonly policies = new Map<string, readonly Statement[]>()

  /** Returns whether the resource is a part of a bucket. */
  add(type: string, properties: Fields, placed: Placed): boolean {
    switch (type) {
      case 'AWS::S3::Bucket':
        this.#buckets.push({ ...readBucket(properties, placed), ...placed })
        return true
      case 'AWS::S3::BucketPolicy':
        this.policies.set(`arn:aws:s3:::${properties.text('Bucket')}`, readPolicy(properties))
        return true
      case CDK_NOTIFICATIONS: {
        properties.ignore(['ServiceToken', 'Managed', 'SkipDestinationValidation'])
        const read = (settings: Fields) => readNotifications(settings, IN_API)
        this.#notifications.set(properties.text('BucketName'), properties.within('NotificationConfiguration', read))
        return true
      }
      default:
        return false
    }
  }

  read(): readonly (BucketDefinition & Placed)[] {
    return this.#buckets.map((bucket) => ({ ...bucket, ...this.#notifications.get(bucket.name) }))
  }
}

function readBucket(properties: Fields, { arn, name }: Placed): BucketDefinition {
  properties.ignore([
    ...['BucketName', 'AccessControl', 'BucketEncryption', 'LoggingConfiguration', 'OwnershipControls'],
    ...['PublicAccessBlockConfiguration', 'Tags'],
    // S3 deletes objects within days of their time. Keeping them is compatible with that.
    'LifecycleConfiguration',
  ])
  const isVersioned =
    properties.findWithin('VersioningConfiguration', (versioning) => versioning.text('Status')) === 'Enabled'
  const notifications = properties.findWithin('NotificationConfiguration', (settings) =>
    readNotifications(settings, IN_TEMPLATE),
  ) ?? { notifiesBus: false, notified: [] }
  return { name, arn, isVersioned, ...notifications }
}

function readNotifications(settings: Fields, form: Form): Notifications {
  const notifiesBus =
    settings.findWithin('EventBridgeConfiguration', (bus) => bus.findFlag('EventBridgeEnabled') !== false) ?? false
  const notified = [
    ...readTargets(settings, form.functions, form.functionArn, form),
    ...readTargets(settings, 'QueueConfigurations', form.queueArn, form),
  ]
  return { notifiesBus, notified }
}

function readTargets(settings: Fields, name: string, arnField: string, form: Form): readonly NotifiedTarget[] {
  return settings.findList(name).map((value, index) => {
    const target = new Fields(value, `${settings.where}.${name}[${index}]`).ignore(['Id'])
    const events = [target.raw(form.events)].flat().map(String)
    const other = events.find((event) => event !== 's3:ObjectCreated:*' && event !== 's3:ObjectCreated:Put')
    if (other !== undefined) throw target.refuse(form.events, `${other} is not supported; only s3:ObjectCreated:* is`)
    const read = { targetArn: target.text(arnField), ...readFilter(target, form) }
    target.close()
    return read
  })
}

function readFilter(target: Fields, form: Form): Pick<NotifiedTarget, 'prefix' | 'suffix'> {
  const read = { prefix: '', suffix: '' }
  const keys = target.findWithin('Filter', (filter) => filter.object(form.filter))
  for (const value of keys?.list(form.rules) ?? []) {
    const rule = new Fields(value, `${keys?.where}.${form.rules}`)
    const name = rule.text('Name').toLowerCase()
    if (name !== 'prefix' && name !== 'suffix') throw rule.refuse('Name', 'must be prefix or suffix')
    read[name] = rule.text('Value')
    rule.close()
  }
  keys?.close()
  return read
}

/** Returns what the policy denies. A denial of unencrypted calls is left out, because no call leaves this machine. */
function readPolicy(properties: Fields): readonly Statement[] {
  const policy = properties.object('PolicyDocument')
  const denials = policy.list('Statement').filter((statement) => {
    const condition = isObject(statement) ? statement.Condition : undefined
    return !isSecureTransportOnly(isObject(condition) ? new Fields(condition, policy.where) : undefined)
  })
  return parseResourcePolicy({ Statement: denials }, policy.where)
}
