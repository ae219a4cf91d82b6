// The app of a company whose platform team gives a deployment its bus, its topics, the table of its journal and the
// bounds of its roles. A stack of theirs makes these, as their engineers would write it.
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { Sluice, type SluiceProps, type TreasuryInput } from '../../infra/index.ts'

export const BUS = 'company-events'
export const TABLE = 'company-treasury-records'
export const TOPIC = 'company-on-call'
export const BOUNDARY = 'company-boundary'
export const ENDS_QUEUE = 'books-ends'

const PLACE = { account: '123456789012', region: 'us-east-1' }
const TOPIC_ARN = `arn:aws:sns:${PLACE.region}:${PLACE.account}:${TOPIC}`

/** Everything that a company may ask of a deployment. */
export const ASKED: Partial<TreasuryInput> = {
  aws: {
    ...PLACE,
    tags: { 'cost-center': '4711', owner: 'treasury@example.com' },
    permissionsBoundary: BOUNDARY,
    rolePath: '/company/treasury/',
    logRetentionDays: 3653,
    eventBus: `arn:aws:events:${PLACE.region}:${PLACE.account}:event-bus/${BUS}`,
    journalTable: TABLE,
  },
  alarms: { topics: { page: TOPIC_ARN, ticket: TOPIC_ARN } },
  notices: [{ name: 'desk', to: { topicArn: TOPIC_ARN }, about: ['needs-a-person', 'halted'] }],
}

/** `actions`: what the boundary allows. */
export function createCompanyApp({
  actions,
  outDir,
  ...props
}: SluiceProps & { readonly outDir: string; readonly actions: readonly string[] }): App {
  const context = { ...CURRENTLY_RECOMMENDED_FLAGS, 'aws:cdk:enable-path-metadata': true }
  const app = new App({ outdir: outDir, context, analyticsReporting: false })
  const platform = new Stack(app, 'Platform')
  new EventBus(platform, 'Bus', { eventBusName: BUS })
  new Topic(platform, 'OnCall', { topicName: TOPIC })
  new ManagedPolicy(platform, 'Boundary', {
    managedPolicyName: BOUNDARY,
    statements: [new PolicyStatement({ actions: [...actions], resources: ['*'] })],
  })
  const table = new Table(platform, 'Records', {
    tableName: TABLE,
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  })
  const text = (name: string) => ({ name, type: AttributeType.STRING })
  const projectionType = ProjectionType.KEYS_ONLY
  table.addGlobalSecondaryIndex({ indexName: 'listed', partitionKey: text('listed'), projectionType })
  table.addGlobalSecondaryIndex({
    ...{ indexName: 'asked', partitionKey: text('asked'), sortKey: text('askedAt'), projectionType },
  })
  const sluice = new Sluice(app, 'Treasury', props)
  sluice.stacks.state.addStackDependency(platform)

  const books = new Stack(app, 'Books')
  const ends = new Queue(books, 'Ends', { queueName: ENDS_QUEUE, encryption: QueueEncryption.SQS_MANAGED })
  sluice.onConversionEnded('Converted', { target: new SqsQueue(ends), crossStackScope: books })
  return app
}
