// Owns how a row of steps.ts becomes a Lambda function: runtime, log group, role, function URL. Nothing differs between
// functions here: the rows say what does.
import { ArnFormat, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
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
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { functionName } from '../../core/contract/deployed-names.ts'
import { Environment } from '../../core/contract/environment.ts'
import { handlerOf, type Verb } from '../../core/contract/states.ts'
import { reservesOf } from '../../core/contract/treasury.ts'
import { type Part, STEPS, stepOf } from '../steps.ts'
import { nameIn } from './deployed-name.ts'
import { underOwnKey } from './own-keys.ts'
import { environmentOf, type Place, statementsOf, type Variables } from './step-rights.ts'

export class VerbFunction extends Construct {
  readonly lambda: LambdaFunction
  readonly verb: Verb

  /** `more`: rights to what only its place in the stack knows. */
  constructor(scope: Construct, verb: Verb, place: Place, more: readonly PolicyStatement[] = []) {
    super(scope, pascal(verb))
    this.verb = verb
    const { does, memoryMb, timeoutSeconds } = stepOf(verb)
    const environment = environmentOf(this, verb, place)
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: logGroupNameOf(this, verb),
      retention: RetentionDays.SIX_MONTHS,
      // Logs explain; the journal proves, and is kept. A retained group would block the next deployment.
      removalPolicy: RemovalPolicy.DESTROY,
      ...underOwnKey(this, 'logs'),
    })
    // A role of our own: the default one brings a managed policy that allows writing to every log.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    for (const statement of [...statementsOf(this, verb, place), ...more]) role.addToPolicy(statement)
    role.addToPolicy(onlyFromItsFunction(this, verb))
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray actions know no resources: AWS documents them with "*" only.',
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
      environment,
      logGroup,
      // A trace goes from the machine through the function to what it calls.
      tracing: Tracing.ACTIVE,
      role,
      currentVersionOptions: versionOptions(environment),
    })
  }

  /**
   * What state machines call. An execution goes on with the definition that it was started with, so what that calls must
   * stay as well: versions are kept when a deployment brings the next.
   */
  get version(): IVersion {
    // CDK's own types are not exact about what may be undefined.
    return this.lambda.currentVersion as IVersion
  }
}

/** The functions of one part of a stack, by their verbs. Those that people call each get a URL that takes signed requests only. */
export function functionsOf<P extends Part>(scope: Construct, part: P, place: Place): FunctionsOf<P> {
  const functions = (Object.keys(STEPS[part]) as Verb[]).map((verb) => new VerbFunction(scope, verb, place))
  if (part === 'people' || part === 'doubts')
    for (const { lambda } of functions) lambda.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  return Object.fromEntries(functions.map((each) => [each.verb, each])) as FunctionsOf<P>
}

export type FunctionsOf<P extends Part> = { readonly [Each in keyof (typeof STEPS)[P]]: VerbFunction }

function pascal(verb: Verb): string {
  return verb.charAt(0).toUpperCase() + verb.slice(1)
}

/**
 * Versions stay when a deployment brings the next, but not when it fails: Lambda publishes none that is like the last one,
 * so one that a rollback left would keep the same deployment from ever being made.
 */
function versionOptions({ [Environment.ServiceUrl]: address }: Variables): VersionOptions {
  return {
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    // The address is a parameter. Another value changes the function and not the template, from which CDK tells whether a
    // new version is due; but another description makes one.
    ...(address !== undefined && { description: address }),
  }
}

/**
 * What the code of functions asks in the name of its role. Nothing of SQS: Lambda itself asks that for some of them. Of KMS
 * only what code asks itself: Secrets Manager and SNS ask it to decrypt, with the role's permissions, and AWS does not document
 * that the function's ARN comes along.
 */
const ASKED_BY_CODE = ['dynamodb:*', 'events:*', 'kms:Sign', 'secretsmanager:*', 'sns:*', 'states:*']

/**
 * Keeps the role useless to any other function that it is passed to: AWS says the function's ARN of each request from within
 * it, without a version. Source: AWS Lambda Developer Guide, "Using source function ARN to control function access behavior".
 */
function onlyFromItsFunction(scope: Construct, verb: Verb): PolicyStatement {
  return new PolicyStatement({
    sid: 'OnlyFromItsFunction',
    effect: Effect.DENY,
    actions: ASKED_BY_CODE,
    resources: ['*'],
    conditions: { ArnNotLike: { [SOURCE_FUNCTION]: functionArnOf(scope, verb) } },
  })
}

/** Condition key for the ARN of the function whose code asks. AWS knows it in policies of roles only. */
export const SOURCE_FUNCTION = 'lambda:SourceFunctionArn'

/** Spelled out, because a function needs its role first. */
export function functionArnOf(scope: Construct, verb: Verb): string {
  return Stack.of(scope).formatArn({
    ...{ service: 'lambda', resource: 'function', resourceName: functionNameOf(scope, verb) },
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
}

/** Other stacks know a function by its name: what they import by a value of this stack could never change again. */
export function functionNameOf(scope: Construct, verb: Verb): string {
  return nameIn(scope, functionName(verb))
}

export function logGroupNameOf(scope: Construct, verb: Verb): string {
  return `/aws/lambda/${functionNameOf(scope, verb)}`
}
