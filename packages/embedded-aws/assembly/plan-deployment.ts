// Reads an assembly into plain values: the tables, secrets, functions, state machines, rules, schedules, queues and
// permissions that this program runs. Refuses by name a resource of an unknown type, and a property that is neither
// honoured nor known to have no effect here.

import { Refusal } from '../aws-error.ts'
import type { Statement } from '../endpoint/access-policy.ts'
import { Fields, isObject } from '../fields.ts'
import { ASYNC_DEFAULTS, type AsyncSettings } from '../lambda/async-invocations.ts'
import { checkDeliveries } from './check-deliveries.ts'
import { Deployment } from './deployment.ts'
import type { Placed } from './identity.ts'
import type { Assembly, Stack } from './read-assembly.ts'
import { BucketReader, CDK_NOTIFICATIONS } from './read-bucket.ts'
import { readBus, readBusPolicy, readBusStatement, readRule } from './read-events.ts'
import {
  readFunctionPermission,
  readFunctionUrl,
  readManagedPolicy,
  readPolicy,
  readQueuePolicy,
  readRole,
  readTablePolicy,
} from './read-grants.ts'
import { HttpApiReader } from './read-http-api.ts'
import { CDK_DEFAULT_GROUP, NetworkReader } from './read-network.ts'
import { readAsyncSettings, readEventSource, readQueue } from './read-queue.ts'
import { readFunction, readSecret, readStateMachine, readTable } from './read-resource.ts'
import { readSchedule } from './read-schedule.ts'
import { checkTrusts, readTrust, type Trust } from './read-trust.ts'
import { Resolver } from './resolve.ts'

/** Types without any effect on a run. */
const IGNORED_TYPES = [
  'AWS::Backup::BackupPlan',
  'AWS::Backup::BackupSelection',
  'AWS::Backup::BackupVault',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  // Managed policies are for people, or bound roles. Attached to a role, one would grant nothing here.
  'AWS::IAM::ManagedPolicy',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::SSM::Parameter',
  // Nothing here is a network: see read-network.ts.
  CDK_DEFAULT_GROUP,
  'AWS::EC2::EIP',
  'AWS::EC2::FlowLog',
  'AWS::EC2::InternetGateway',
  'AWS::EC2::NatGateway',
  'AWS::EC2::Route',
  'AWS::EC2::RouteTable',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EC2::SubnetRouteTableAssociation',
  'AWS::EC2::VPCEndpoint',
  'AWS::EC2::VPCGatewayAttachment',
  // A signing key is known by its alias alone. No other key has an effect here.
  'AWS::KMS::Key',
  // Nobody receives alarms here.
  'AWS::SNS::Subscription',
  'AWS::SNS::TopicPolicy',
  // A version stands for the code of its function: see lambda.ts.
  'AWS::Lambda::Version',
  // Group names are part of schedules' ARNs.
  'AWS::Scheduler::ScheduleGroup',
]

/** Throws Refusal. */
export function planDeployment(assembly: Assembly, parameters: Readonly<Record<string, string>>): Deployment {
  const { account, region } = onePlace(assembly)
  const resolver = new Resolver(assembly, parameters)
  const plan = new Plan(account, region, assembly.assetDirs)
  const cdkFunctions = functionsOfCdk(assembly, resolver)
  for (const stack of assembly.stacks) {
    for (const [logicalId, { condition, path, properties, type }] of Object.entries(stack.template.resources)) {
      if (IGNORED_TYPES.includes(type)) continue
      if (condition !== undefined) throw new Refusal(path, 'a Condition on a resource is not supported')
      if (type === 'AWS::KMS::Alias') {
        const alias = new Fields(resolver.resolve(stack, properties, path), path).text('AliasName')
        if (isOfSigningKey(properties, stack)) plan.signingKeys.push(alias)
        continue
      }
      const placed = { path, ...identityOf(resolver, stack, logicalId, path) }
      if (cdkFunctions.has(placed.arn)) continue
      const fields = new Fields(resolver.resolve(stack, properties, path), path)
      plan.add(type, fields, placed)
      fields.close()
    }
  }
  plan.finish()
  bound(plan, assembly, resolver)
  checkDeliveries(plan)
  return plan
}

/** Whether the alias is of a key of Ed25519 in its stack. An alias of another key has no effect here. */
function isOfSigningKey(alias: unknown, { template }: Stack): boolean {
  const target = isObject(alias) && isObject(alias.TargetKeyId) ? alias.TargetKeyId['Fn::GetAtt'] : undefined
  const key = Array.isArray(target) ? template.resources[String(target[0])]?.properties : undefined
  return isObject(key) && key.KeySpec === 'ECC_NIST_EDWARDS25519'
}

/** Returns the ARNs of the functions with which CDK sets up buckets and VPCs during a deployment. Nothing runs them here. */
function functionsOfCdk(assembly: Assembly, resolver: Resolver): ReadonlySet<string> {
  const arns = assembly.stacks.flatMap((stack) =>
    Object.values(stack.template.resources).flatMap(({ path, properties, type }) => {
      if (type !== CDK_NOTIFICATIONS && type !== CDK_DEFAULT_GROUP) return []
      return [new Fields(resolver.resolve(stack, properties, path), path).text('ServiceToken')]
    }),
  )
  return new Set(arns)
}

/** Reads the managed policies that bound roles. The others are for people, and may have conditions that nobody sends here. */
function bound(plan: Plan, { stacks }: Assembly, resolver: Resolver): void {
  for (const stack of stacks) {
    for (const [logicalId, { path, properties, type }] of Object.entries(stack.template.resources)) {
      if (type !== 'AWS::IAM::ManagedPolicy') continue
      const { arn } = identityOf(resolver, stack, logicalId, path)
      const bounded = [...plan.boundaryArns].filter(([, boundaryArn]) => boundaryArn === arn)
      if (bounded.length === 0) continue
      const fields = new Fields(resolver.resolve(stack, properties, path), path)
      const statements = readManagedPolicy(fields)
      fields.close()
      for (const [roleArn] of bounded) plan.boundaries.set(roleArn, statements)
    }
  }
}

class Plan extends Deployment {
  /** ARNs of permissions boundaries, by role ARN. */
  readonly boundaryArns = new Map<string, string>()
  /** Statements of policies apart from their roles, by the name of a role. */
  readonly #attached = new Map<string, readonly Statement[]>()
  readonly #apiReader = new HttpApiReader()
  readonly #bucketReader = new BucketReader()
  readonly #networkReader = new NetworkReader()
  readonly #trusts = new Map<string, readonly Trust[]>()
  readonly #assetDirs: Assembly['assetDirs']

  constructor(account: string, region: string, assetDirs: Assembly['assetDirs']) {
    super(account, region)
    this.#assetDirs = assetDirs
  }

  /** Reads the properties that have an effect. The caller refuses the remaining ones. */
  add(type: string, properties: Fields, placed: Placed): void {
    switch (type) {
      case 'AWS::DynamoDB::Table': {
        this.tables.push({ ...readTable(properties, placed), ...placed })
        const policy = readTablePolicy(properties)
        if (policy !== undefined) this.tablePolicies.set(placed.arn, policy)
        break
      }
      case 'AWS::SecretsManager::Secret':
        this.secrets.push({ ...readSecret(properties, placed), ...placed })
        break
      case 'AWS::Lambda::Function':
        this.functions.push({ ...readFunction(properties, placed, this.#assetDirs), ...placed })
        properties.findWithin('DeadLetterConfig', (deadLetters) =>
          this.#setAsync(placed.arn, { deadLetterArn: deadLetters.text('TargetArn') }),
        )
        break
      case 'AWS::StepFunctions::StateMachine':
        this.stateMachines.push({ ...readStateMachine(properties, placed), ...placed })
        break
      case 'AWS::Lambda::EventInvokeConfig': {
        const { functionName, ...settings } = readAsyncSettings(properties)
        this.#setAsync(this.#functionArn(functionName), settings)
        break
      }
      case 'AWS::Lambda::Url':
        this.functionUrls.push({ ...readFunctionUrl(properties, (name) => this.#functionArn(name)), ...placed })
        break
      case 'AWS::Lambda::EventSourceMapping':
        this.eventSources.push({ ...readEventSource(properties, (name) => this.#functionArn(name)), ...placed })
        break
      case 'AWS::Lambda::Permission':
        this.grants.push(readFunctionPermission(properties, (name) => this.#functionArn(name)))
        break
      case 'AWS::SQS::Queue':
        this.queues.push({ ...readQueue(properties, placed), ...placed })
        break
      case 'AWS::SNS::Topic':
        properties.ignore(['TopicName', 'DisplayName', 'KmsMasterKeyId', 'Tags'])
        this.topics.push(placed)
        break
      case 'AWS::SQS::QueuePolicy':
        this.#addQueuePolicy(readQueuePolicy(properties))
        break
      case 'AWS::Events::EventBus':
        this.buses.push({ ...readBus(properties, placed), ...placed })
        this.#denyOn(placed.arn, readBusPolicy(properties))
        break
      case 'AWS::Events::EventBusPolicy': {
        const { bus, denials } = readBusStatement(properties)
        this.#denyOn(
          bus.startsWith('arn:') ? bus : `arn:aws:events:${this.region}:${this.account}:event-bus/${bus}`,
          denials,
        )
        break
      }
      case 'AWS::Events::Rule':
        this.rules.push({ ...readRule(properties, placed), ...placed })
        break
      case 'AWS::Scheduler::Schedule':
        this.schedules.push({ ...readSchedule(properties, placed), ...placed })
        break
      case 'AWS::IAM::Role': {
        this.#allow(placed.arn, readRole(properties))
        this.#trust(placed.arn, readTrust(properties))
        const boundaryArn = properties.findText('PermissionsBoundary')
        if (boundaryArn !== undefined) this.boundaryArns.set(placed.arn, boundaryArn)
        break
      }
      case 'AWS::IAM::Policy': {
        const { roles, statements } = readPolicy(properties)
        for (const role of roles) this.#attached.set(role, [...(this.#attached.get(role) ?? []), ...statements])
        break
      }
      default:
        if (this.#apiReader.add(type, properties, placed)) break
        if (this.#bucketReader.add(type, properties, placed)) break
        if (this.#networkReader.add(type, properties, placed)) break
        throw new Refusal(placed.path, `resources of type ${type} are not supported`)
    }
  }

  /**
   * Refuses a role from outside the assembly, because its statements are unknown, and a role that does not trust its
   * service, and what Lambda refuses of a network. Puts the parts of each HTTP API and of each bucket together.
   */
  finish(): void {
    this.httpApis = this.#apiReader.read(this.grants, this.functions)
    this.buckets = this.#bucketReader.read()
    this.bucketPolicies = this.#bucketReader.policies
    // A policy knows its roles by name, and an ARN also has the path.
    for (const roleArn of [...this.policies.keys()]) {
      this.#allow(roleArn, this.#attached.get(roleArn.slice(roleArn.lastIndexOf('/') + 1)) ?? [])
    }
    for (const { path, roleArn } of [...this.functions, ...this.stateMachines]) {
      if (!this.policies.has(roleArn)) throw new Refusal(path, `its role is not in the assembly: ${roleArn}`)
    }
    checkTrusts(this, this.#trusts)
    this.#networkReader.check(this)
  }

  #functionArn(nameOrArn: string): string {
    if (nameOrArn.startsWith('arn:')) return nameOrArn
    return `arn:aws:lambda:${this.region}:${this.account}:function:${nameOrArn}`
  }

  /** Merges settings, because a function's dead-letter queue and its other settings are in two resources. */
  #setAsync(functionArn: string, settings: Partial<AsyncSettings>): void {
    this.asyncSettings.set(functionArn, { ...ASYNC_DEFAULTS, ...this.asyncSettings.get(functionArn), ...settings })
  }

  #trust(roleArn: string, trusts: readonly Trust[] | undefined): void {
    if (trusts !== undefined) this.#trusts.set(roleArn, trusts)
  }

  #addQueuePolicy({ grants, denials }: ReturnType<typeof readQueuePolicy>): void {
    this.grants.push(...grants)
    for (const denial of denials) for (const { text } of denial.resources) this.#denyOn(text, [denial])
  }

  #denyOn(arn: string, denials: readonly Statement[]): void {
    this.resourcePolicies.set(arn, [...(this.resourcePolicies.get(arn) ?? []), ...denials])
  }

  #allow(roleArn: string, statements: readonly Statement[]): void {
    this.policies.set(roleArn, [...(this.policies.get(roleArn) ?? []), ...statements])
  }
}

function identityOf(resolver: Resolver, stack: Stack, logicalId: string, path: string) {
  const { name, arn } = resolver.identity(stack, logicalId, path)
  return { name, arn }
}

/** Returns the only account and region of the assembly. Throws Refusal where stacks differ. */
function onePlace(assembly: Assembly): { readonly account: string; readonly region: string } {
  const [first, ...others] = assembly.stacks
  if (first === undefined) throw new Refusal('the assembly', 'has no stack')
  const other = others.find((stack) => stack.account !== first.account || stack.region !== first.region)
  if (other === undefined) return first
  throw new Refusal(other.name, `is in another account or region than ${first.name}`)
}
