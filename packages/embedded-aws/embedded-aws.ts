// Boots an unmodified CDK cloud assembly on one machine. Opens the state directory, starts the parts in the order in
// which they need each other, and returns the operations of embedded-aws-api.ts. No other file boots an assembly.

import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Deployment } from './assembly/deployment.ts'
import { identify, type Placed } from './assembly/identity.ts'
import { planDeployment } from './assembly/plan-deployment.ts'
import { readAssembly } from './assembly/read-assembly.ts'
import { PARTITION } from './assembly/resolve.ts'
import { AwsError, Refusal } from './aws-error.ts'
import { type AwsClock, systemClock } from './clock.ts'
import { databaseFolder } from './database-folder.ts'
import { Disk } from './disk.ts'
import { DynamoDb } from './dynamodb/dynamodb.ts'
import { TablePolicies } from './dynamodb/table-policies.ts'
import type { EmbeddedAws, EmbeddedAwsOptions, Resources, ScheduleControl } from './embedded-aws-api.ts'
import { hasExecutions } from './embedded-journal.ts'
import { secretsFile } from './embedded-secrets.ts'
import { Access } from './endpoint/access.ts'
import { Authentication } from './endpoint/authentication.ts'
import { Callers } from './endpoint/callers.ts'
import { usableCredentials } from './endpoint/credentials.ts'
import { Gateway } from './endpoint/gateway.ts'
import { type EventServices, eventServices } from './event-services.ts'
import { eventsEndpoint } from './events/event-buses.ts'
import { statusChange } from './events/put-events.ts'
import { kmsEndpoint } from './kms/kms-endpoint.ts'
import { keptKeys, kmsKey } from './kms/kms-key.ts'
import { messageOf } from './lambda/async-invocations.ts'
import { examineApiSigners, examineSigners } from './lambda/function-url.ts'
import { serveFunctionUrls, serveHttpApis } from './lambda/function-url-server.ts'
import { Lambda } from './lambda/lambda.ts'
import { lambdaEndpoint } from './lambda/lambda-endpoint.ts'
import { s3Endpoint } from './s3/s3-endpoint.ts'
import { fillSecrets } from './secrets/fill-secrets.ts'
import { SecretPolicies } from './secrets/secret-policies.ts'
import { SecretStore } from './secrets/secret-store.ts'
import { type SecretsOptions, secretsEndpoint } from './secrets/secrets-endpoint.ts'
import { snsEndpoint, Topics } from './sns/topics.ts'
import type { QueueMessage } from './sqs/queue-store.ts'
import { sqsEndpoint } from './sqs/sqs-endpoint.ts'
import { DefinitionStore } from './states/definition-store.ts'
import type { ExecutionDescription } from './states/execution-description.ts'
import { ExecutionFiles } from './states/execution-files.ts'
import { Executions } from './states/executions.ts'
import type { InvokeFunction } from './states/run.ts'
import { statesEndpoint } from './states/states-endpoint.ts'
import { stsEndpoint } from './sts/sts-endpoint.ts'

export type { AwsClock } from './clock.ts'
export type { DeliveryAttempt, DeliveryHook, DeliveryVerdict } from './delivery/deliveries.ts'
export type {
  EmbeddedAws,
  EmbeddedAwsOptions,
  Resources,
  ScheduleControl,
  ScheduleDescription,
} from './embedded-aws-api.ts'
export type { Credentials, EndpointAccess } from './endpoint/credentials.ts'
export type { EndpointCall, EndpointHook, EndpointVerdict } from './endpoint/wire.ts'
export type { FailedInvocation } from './lambda/async-invocations.ts'
export type { ExecutionDescription } from './states/execution-description.ts'
export type { ExecutionStatus, HistoryEvent } from './states/history.ts'

/** Throws Refusal when the assembly, the options or the state directory do not fit. */
export async function startEmbeddedAws(options: EmbeddedAwsOptions): Promise<EmbeddedAws> {
  const deployment = planDeployment(readAssembly(options.assemblyDir), options.parameters ?? {})
  const stateDir = path.resolve(options.stateDir)
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // While it boots, the boot itself fails.
  failed.catch(() => undefined)
  const disk = new Disk(options.isDurable !== false, fail)
  disk.makeFolder(stateDir)
  // Opened first, because it keeps a second process out of the directory.
  const dynamoDb = await DynamoDb.open(databaseFolder(stateDir), deployment, disk)
  const closing: (() => Promise<void> | void)[] = [() => dynamoDb.close()]
  const stop = async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  }
  try {
    if (deployment.tables.length > 0 && options.isJournalLost !== true) await assertNotLost(stateDir, dynamoDb)
    for (const table of deployment.tables) await dynamoDb.ensureTable(table)
    const aws = await start({ options, deployment, stateDir, disk, dynamoDb, closing, stop })
    failed.catch(() => aws.halt())
    return { ...aws, failed }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Executions exist only after tables were created. With empty tables, an execution could repeat what the lost tables
 * recorded as done.
 */
async function assertNotLost(stateDir: string, dynamoDb: DynamoDb): Promise<void> {
  if (hasExecutions(stateDir) && !(await dynamoDb.hasTables()))
    throw new Refusal(stateDir, 'has executions, but its tables are gone')
}

interface Boot {
  readonly options: EmbeddedAwsOptions
  readonly deployment: Deployment
  readonly stateDir: string
  readonly disk: Disk
  readonly dynamoDb: DynamoDb
  /** Closes the parts that have started. The last one closes first. */
  readonly closing: (() => Promise<void> | void)[]
  readonly stop: () => Promise<void>
}

/** Starts the parts in the order in which they need each other. */
async function start(boot: Boot): Promise<Omit<EmbeddedAws, 'failed'>> {
  const { closing, deployment, disk, dynamoDb, options, stateDir, stop } = boot
  const clock = options.clock ?? systemClock
  const secrets = openSecrets(boot, clock)
  const kmsKeys = [
    ...Object.entries(options.kmsKeys ?? {}).map(([name, pem]) => kmsKey(name, pem, deployment)),
    ...keptKeys(stateDir, deployment.signingKeys, deployment, disk),
  ]
  const callers = new Callers(options.credentials && usableCredentials(options.credentials), options.userName)
  const { region } = deployment
  const tablePolicies = new TablePolicies(deployment.tablePolicies)
  const access = openAccess(deployment, tablePolicies, secrets)
  const nowMs = () => (options.functionClock ?? systemClock).nowMs()
  const gateway = new Gateway({ callers, region, nowMs, access, hook: options.onEndpointCall, newId: randomUUID })
  const address = await gateway.listen(options.port ?? 0)
  closing.push(() => gateway.close())

  const lambda = new Lambda({
    functions: deployment.functions,
    workersPerFunction: options.workersPerFunction ?? 1,
    region,
    endpointUrl: address.endpointUrl,
    callers,
    onLog: options.onFunctionLog ?? (() => undefined),
    newId: randomUUID,
    ...(options.machineVariables && { machineVariables: options.machineVariables }),
  })
  closing.push(() => lambda.stop())

  const files = new ExecutionFiles(path.join(stateDir, 'executions'), disk)
  const executions = new Executions({
    machines: deployment.stateMachines,
    definitions: new DefinitionStore(path.join(stateDir, 'definitions'), disk),
    files,
    clock,
    random: Math.random,
    invokeAs: (roleArn) => invokeAs(roleArn, lambda, access),
    authoriseAs: (roleArn) => (permission) => access.authorise({ roleArn, functionName: STEP_FUNCTIONS }, permission),
    newId: randomUUID,
    onEvent: reporting(options.onEvent),
    onEnded: (description) => {
      if (options.executionEvents === true) reportEnd(events, description)
    },
  })
  closing.push(() => executions.halt())
  const events = eventServices({
    deployment,
    stateDir,
    disk,
    clock,
    random: Math.random,
    newId: randomUUID,
    onDelivery: options.onDelivery,
    onClockSetBack: options.onClockSetBack,
    onFailedInvocation: reporting(options.onFailedInvocation),
    invoke: (functionArn, payload) => lambda.invoke(functionArn, payload, undefined),
    authorise: (functionArn, action, resource) => {
      const reader = deployment.functions.find(({ arn }) => arn === functionArn)
      if (reader !== undefined)
        access.authorise({ roleArn: reader.roleArn, functionName: reader.name }, { action, resource })
    },
    startExecution: (stateMachineArn, name, input) => executions.start(stateMachineArn, name, input),
  })
  closing.push(() => events.halt())
  const signerPorts = { authentication: new Authentication({ callers, region, nowMs }), access, deployment }
  const functionUrls = await serveFunctionUrls(
    {
      urls: deployment.functionUrls,
      nowMs: () => clock.nowMs(),
      newId: randomUUID,
      examineSigner: examineSigners(signerPorts),
      invoke: (functionArn, payload) => lambda.invoke(functionArn, payload, undefined),
    },
    options.functionUrlPort ?? 0,
  )
  closing.push(() => functionUrls.close())
  const httpApis = await serveHttpApis({
    apis: deployment.httpApis,
    nowMs: () => clock.nowMs(),
    newId: randomUUID,
    examineSigner: examineApiSigners(signerPorts),
    invoke: (functionArn, payload) => lambda.invoke(functionArn, payload, undefined),
  })
  closing.push(() => httpApis.close())
  const topics = new Topics(deployment.topics, randomUUID)
  gateway.serve([
    // First, because the keys of objects may look like the paths of other services.
    s3Endpoint({ buckets: events.buckets, onCreated: (bucket, version) => events.notify(bucket, version) }),
    dynamoDb.endpoint(tablePolicies),
    secretsEndpoint(secrets),
    kmsEndpoint(kmsKeys),
    lambdaEndpoint(lambda, functionUrls.findUrl, clock.nowMs()),
    statesEndpoint(executions, randomUUID),
    eventsEndpoint(events.buses),
    sqsEndpoint(events.queues),
    snsEndpoint(topics),
    stsEndpoint(deployment.account),
  ])
  if (options.resume !== false) {
    executions.resume()
    events.resume()
  }
  if (options.prewarm === true) void lambda.prewarm()

  return {
    ...address,
    startExecution: async ({ stateMachine, name, input }) => executions.start(stateMachine, name, input),
    invokeFunction: (functionName, payload) => invokeByName(lambda, functionName, payload),
    describeExecution: (executionArn) => executions.describe(executionArn),
    redriveExecution: async (executionArn) => {
      executions.redrive(executionArn)
    },
    findExecution: (stateMachine, name) => executions.find(stateMachine, name),
    damagedExecutions: () => files.damage(),
    listExecutions: (stateMachine, isRunning) => executions.list(stateMachine, isRunning),
    history: (executionArn) => executions.history(executionArn),
    untilFinished: (executionArn) => executions.untilFinished(executionArn),
    resources: () => resourcesOf(deployment),
    permissions: () => ({ unused: access.unused(), denied: access.denied() }),
    putEvents: async (entries) => events.buses.put(entries),
    untilDelivered: () => events.untilDelivered(),
    queueMessages: (queueName) => messagesOf(events, queueName),
    publishedTo: (topicName) => topics.published(topicName),
    schedules: scheduleControl(events),
    functionUrls: functionUrls.addresses,
    httpApis: httpApis.addresses,
    addUser: (name) => callers.addUser(name),
    halt() {
      executions.halt()
      events.halt()
    },
    stop,
  }
}

function openSecrets({ deployment, disk, options, stateDir }: Boot, clock: AwsClock): SecretsOptions {
  const secrets: SecretsOptions = {
    declared: deployment.secrets.map(({ name }) => name),
    arnOf: (name) => identify('AWS::SecretsManager::Secret', name, { ...deployment, partition: PARTITION }).arn,
    store: new SecretStore(secretsFile(stateDir), disk),
    policies: new SecretPolicies(),
    clock,
    newId: randomUUID,
  }
  fillSecrets(secrets, deployment.secrets, options.secrets ?? {}, options.keepsSecrets !== false)
  return secrets
}

function openAccess(deployment: Deployment, tablePolicies: TablePolicies, secrets: SecretsOptions): Access {
  const { account, boundaries, bucketPolicies, policies, resourcePolicies } = deployment
  return new Access({
    account,
    policies,
    boundaries,
    resourcePolicies: {
      get: (arn) =>
        tablePolicies.get(arn) ??
        resourcePolicies.get(arn) ??
        bucketPolicies.get(bucketOf(arn)) ??
        secrets.policies.findStatements(arn),
    },
  })
}

/**
 * Puts the event of an ended execution on the default bus. When too much is pending the event is dropped, as AWS may,
 * because its delivery is best effort.
 */
function reportEnd({ buses }: EventServices, description: ExecutionDescription): void {
  try {
    buses.report(statusChange(description))
  } catch (error) {
    if (!(error instanceof AwsError)) throw error
  }
}

function messagesOf({ queues }: EventServices, queueName: string): readonly QueueMessage[] {
  const queue = queues.find(({ definition }) => definition.name === queueName)
  if (queue === undefined) throw new AwsError('QueueDoesNotExist', `The queue ${queueName} does not exist.`)
  return queue.messages()
}

function scheduleControl({ schedules }: EventServices): ScheduleControl {
  return {
    list: () =>
      schedules
        .list()
        .map(({ arn, expression, isEnabled, name, zone }) => ({ arn, expression, isEnabled, name, zone })),
    start: () => schedules.start(),
    fire: (name, scheduledTime, times) => schedules.fire(name, scheduledTime.getTime(), times),
  }
}

async function invokeByName(lambda: Lambda, functionName: string, payload: string): Promise<string> {
  const invocation = await lambda.invoke(lambda.findArn(functionName) ?? functionName, payload, undefined)
  if (invocation.kind === 'answered') return invocation.payload
  if (invocation.kind === 'timed-out') throw new AwsError('Sandbox.Timedout', 'the function did not answer')
  throw new AwsError(invocation.error, messageOf(invocation.cause))
}

/** Returns the ARN of the bucket to which the ARN of an object belongs. */
function bucketOf(arn: string): string {
  return arn.startsWith('arn:aws:s3:::') ? (arn.split('/', 1)[0] ?? arn) : arn
}

/** Keeps a listener's error from changing the run. A listener that throws is a bug of its owner. */
function reporting<Values extends readonly unknown[]>(
  listener: ((...values: Values) => void) | undefined,
): (...values: Values) => void {
  return (...values) => {
    try {
      listener?.(...values)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

function resourcesOf({ buckets, buses, functions, queues, secrets, stateMachines, tables }: Deployment): Resources {
  const placed = ({ path: cdkPath, name, arn }: Placed): Placed => ({ path: cdkPath, name, arn })
  return {
    tables: tables.map(placed),
    secrets: secrets.map(placed),
    functions: functions.map(placed),
    stateMachines: stateMachines.map(placed),
    queues: queues.map(placed),
    eventBuses: buses.map(placed),
    buckets: buckets.map(placed),
  }
}

/** The session name of a state machine's role, in refusals. */
const STEP_FUNCTIONS = 'StepFunctions'

function invokeAs(roleArn: string, lambda: Lambda, access: Access): InvokeFunction {
  return async ({ functionId, payload, timeoutMs }) => {
    const resource = lambda.findArn(functionId) ?? functionId
    try {
      access.authorise({ roleArn, functionName: STEP_FUNCTIONS }, { action: 'lambda:InvokeFunction', resource })
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      const cause = `${error.message} (Service: AWSLambda; Status Code: 403; Error Code: AccessDeniedException)`
      return { kind: 'failed', error: 'Lambda.AWSLambdaException', cause }
    }
    return lambda.invoke(resource, payload, timeoutMs)
  }
}
