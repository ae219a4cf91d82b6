// Makes a Lambda function of a row of steps.ts: runtime, log group, role, function URL. Functions differ only in their
// rows.
import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  FunctionUrlAuthType,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
  Tracing,
  type VersionOptions,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { DECIDE_ROLE, functionName } from '../../core/contract/deployed-names.ts'
import { Environment } from '../../core/contract/environment.ts'
import { handlerOf, type Verb } from '../../core/contract/states.ts'
import { reservesOf } from '../../core/contract/treasury.ts'
import { type Part, STEPS, stepOf } from '../steps.ts'
import { logRetentionOf } from './account-settings.ts'
import { nameIn } from './deployed-name.ts'
import { mayConnect, networkOf, wayOutVariables } from './network.ts'
import { underOwnKey } from './own-keys.ts'
import { setAside } from './set-aside.ts'
import { environmentOf, type Place, statementsOf, type Variables } from './step-rights.ts'

export class VerbFunction extends Construct {
  readonly lambda: LambdaFunction
  readonly verb: Verb

  /** `more`: rights to resources that only its place in the stack knows. */
  constructor(scope: Construct, verb: Verb, place: Place, more: readonly PolicyStatement[] = []) {
    super(scope, verb.charAt(0).toUpperCase() + verb.slice(1))
    this.verb = verb
    const { does, memoryMb, timeoutSeconds } = stepOf(verb)
    const environment = environmentOf(this, verb, place)
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: logGroupNameOf(this, verb),
      retention: logRetentionOf(this),
      // A retained group would block the next deployment. Logs only explain; the journal proves, and is kept.
      removalPolicy: RemovalPolicy.DESTROY,
      ...underOwnKey(this, 'logs'),
    })
    // Our own role, because the default role may write to every log.
    const signsDecisions = stepOf(verb).may.some((right) => 'decisions' in right)
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      ...(signsDecisions && { roleName: nameIn(this, DECIDE_ROLE) }),
    })
    logGroup.grantWrite(role)
    for (const statement of [...statementsOf(this, verb, place), ...more]) role.addToPolicy(statement)
    role.addToPolicy(onlyFromItsFunction(this, verb))
    for (const statement of mayConnect(this, sourcesOf(this, verb))) role.addToPolicy(statement)
    setAside(role, {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Actions of X-Ray and of network interfaces know no resources: AWS documents them with "*" only.',
    })
    const mostAtOnce = reservesOf(place.treasury).get(verb)
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: functionNameOf(this, verb),
      description: does,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: place.code,
      handler: handlerOf(verb),
      memorySize: memoryMb,
      timeout: Duration.seconds(timeoutSeconds),
      ...(mostAtOnce !== undefined && { reservedConcurrentExecutions: mostAtOnce }),
      environment: { ...environment, ...wayOutVariables(this) },
      logGroup,
      // A trace covers the machine, the function and its calls.
      tracing: Tracing.ACTIVE,
      role,
      currentVersionOptions: versionOptions(environment),
      ...networkOf(this),
    })
  }

  /**
   * The version that state machines call. An execution keeps the definition and the versions that it started with, so
   * versions are kept when a deployment publishes the next.
   */
  get version(): IVersion {
    // CDK's types are inexact about `undefined`.
    return this.lambda.currentVersion as IVersion
  }
}

/**
 * Creates the functions of one part of a stack, by verb. Each function for people gets a URL that takes signed requests
 * only.
 */
export function functionsOf<P extends Part>(scope: Construct, part: P, place: Place): FunctionsOf<P> {
  const functions = (Object.keys(STEPS[part]) as Verb[]).map((verb) => new VerbFunction(scope, verb, place))
  if (part === 'people' || part === 'doubts')
    for (const { lambda } of functions) lambda.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  return Object.fromEntries(functions.map((each) => [each.verb, each])) as FunctionsOf<P>
}

export type FunctionsOf<P extends Part> = { readonly [Each in keyof (typeof STEPS)[P]]: VerbFunction }

/**
 * Versions stay when a deployment publishes the next, but not when it fails. Lambda publishes no version equal to the
 * last, so a version left by a rollback would prevent the same deployment for ever.
 */
function versionOptions({ [Environment.ServiceUrl]: address }: Variables): VersionOptions {
  return {
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    // The address is a parameter. A new value changes the function and not the template, in which CDK looks for
    // changes. A new description makes CDK publish a new version.
    ...(address !== undefined && { description: address }),
  }
}

/**
 * Actions that functions' own code requests with its role. SQS is missing, because Lambda itself uses it for some functions:
 * the code that sends to a queue has the condition in its own statement. So is the read of a public half, which is no secret.
 * Secrets Manager and SNS decrypt with the role's permissions, and AWS does not document that they pass on the function's ARN.
 */
const ASKED_BY_CODE = ['dynamodb:*', 'events:*', 'kms:Sign', 's3:*', 'secretsmanager:*', 'sns:*', 'states:*']

/**
 * Makes the role useless to any other function. AWS adds the function's ARN to each request from inside it.
 * Source: AWS Lambda Developer Guide, "Using source function ARN to control function access behavior".
 */
function onlyFromItsFunction(scope: Construct, verb: Verb): PolicyStatement {
  return new PolicyStatement({
    sid: 'OnlyFromItsFunction',
    effect: Effect.DENY,
    actions: ASKED_BY_CODE,
    resources: ['*'],
    conditions: { ArnNotLike: { [SOURCE_FUNCTION]: sourcesOf(scope, verb) } },
  })
}

/** Condition key with the ARN of the requesting function. AWS supports it in policies of roles only. */
export const SOURCE_FUNCTION = 'lambda:SourceFunctionArn'

/** For a condition: the ARN without a version, as AWS documents it, and with one, because machines call versions. */
export function sourcesOf(scope: Construct, verb: Verb): string[] {
  const arn = functionArnOf(scope, verb)
  return [arn, `${arn}:*`]
}

/** Built from the name, because a function needs its role first. */
export function functionArnOf(scope: Construct, verb: Verb): string {
  return Stack.of(scope).formatArn({
    ...{ service: 'lambda', resource: 'function', resourceName: functionNameOf(scope, verb) },
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
}

/** Other stacks use the name of a function, because an imported value of this stack could never change again. */
export function functionNameOf(scope: Construct, verb: Verb): string {
  return nameIn(scope, functionName(verb))
}

export function logGroupNameOf(scope: Construct, verb: Verb): string {
  return `/aws/lambda/${functionNameOf(scope, verb)}`
}
