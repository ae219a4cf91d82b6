// What an assembly asks for, as plain values: the tables, secrets, functions, state machines and
// permissions that this program then runs. A resource of a type that is not known is refused by
// name, and so is a property that is neither honoured nor known to change nothing here.
import type { TableDefinition } from '../dynamodb/dynamodb.ts'
import type { Statement } from '../endpoint/access-policy.ts'
import { Fields } from '../fields.ts'
import type { FunctionDefinition } from '../lambda/function-definition.ts'
import { Refusal } from '../refusal.ts'
import type { StateMachine } from '../states/executions.ts'
import type { Placed } from './identity.ts'
import type { Assembly, Stack } from './read-assembly.ts'
import { readPolicy, readRole } from './read-permissions.ts'
import { readFunction, readSecret, readStateMachine, readTable, type SecretDefinition } from './read-resource.ts'
import { Resolver } from './resolve.ts'

/** Types that change nothing about how a run goes. A schedule starts nothing here: a person does. */
const IGNORED_TYPES = [
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::Scheduler::Schedule',
]

export interface Deployment {
  readonly account: string
  readonly region: string
  readonly tables: readonly (TableDefinition & Placed)[]
  readonly secrets: readonly (SecretDefinition & Placed)[]
  readonly functions: readonly (FunctionDefinition & Placed)[]
  readonly stateMachines: readonly (StateMachine & Placed)[]
  /** Statements by role ARN. */
  readonly policies: ReadonlyMap<string, readonly Statement[]>
}

/** Throws Refusal. */
export function planDeployment(assembly: Assembly, parameters: Readonly<Record<string, string>>): Deployment {
  const { account, region } = onePlace(assembly)
  const resolver = new Resolver(assembly, parameters)
  const plan = new Plan(account, region, assembly.assetDirs)
  for (const stack of assembly.stacks) {
    for (const [logicalId, { condition, path, properties, type }] of Object.entries(stack.template.resources)) {
      if (IGNORED_TYPES.includes(type)) continue
      if (condition !== undefined) throw new Refusal(path, 'a Condition on a resource is not supported')
      const fields = new Fields(resolver.resolve(stack, properties, path), path)
      plan.add(type, fields, { path, ...identityOf(resolver, stack, logicalId, path) })
      fields.close()
    }
  }
  plan.checkRoles()
  return plan
}

class Plan implements Deployment {
  readonly account: string
  readonly region: string
  readonly tables: (TableDefinition & Placed)[] = []
  readonly secrets: (SecretDefinition & Placed)[] = []
  readonly functions: (FunctionDefinition & Placed)[] = []
  readonly stateMachines: (StateMachine & Placed)[] = []
  readonly policies = new Map<string, readonly Statement[]>()
  readonly #assetDirs: Assembly['assetDirs']

  constructor(account: string, region: string, assetDirs: Assembly['assetDirs']) {
    this.account = account
    this.region = region
    this.#assetDirs = assetDirs
  }

  /** Reads the properties that count; the caller refuses those that are left. */
  add(type: string, properties: Fields, placed: Placed): void {
    switch (type) {
      case 'AWS::DynamoDB::Table':
        this.tables.push({ ...readTable(properties, placed), ...placed })
        break
      case 'AWS::SecretsManager::Secret':
        this.secrets.push({ ...readSecret(properties, placed), ...placed })
        break
      case 'AWS::Lambda::Function':
        this.functions.push({ ...readFunction(properties, placed, this.#assetDirs), ...placed })
        break
      case 'AWS::StepFunctions::StateMachine':
        this.stateMachines.push({ ...readStateMachine(properties, placed), ...placed })
        break
      case 'AWS::IAM::Role':
        this.#allow(placed.arn, readRole(properties))
        break
      case 'AWS::IAM::Policy': {
        const { roles, statements } = readPolicy(properties)
        for (const role of roles) this.#allow(`arn:aws:iam::${this.account}:role/${role}`, statements)
        break
      }
      default:
        throw new Refusal(placed.path, `resources of type ${type} are not supported`)
    }
  }

  /** A role from elsewhere has statements that nobody here knows. */
  checkRoles(): void {
    for (const { path, roleArn } of [...this.functions, ...this.stateMachines]) {
      if (!this.policies.has(roleArn)) throw new Refusal(path, `its role is none of the assembly: ${roleArn}`)
    }
  }

  #allow(roleArn: string, statements: readonly Statement[]): void {
    this.policies.set(roleArn, [...(this.policies.get(roleArn) ?? []), ...statements])
  }
}

function identityOf(resolver: Resolver, stack: Stack, logicalId: string, path: string) {
  const { name, arn } = resolver.identity(stack, logicalId, path)
  return { name, arn }
}

/** One machine is one account and one region. */
function onePlace(assembly: Assembly): { readonly account: string; readonly region: string } {
  const [first, ...others] = assembly.stacks
  if (first === undefined) throw new Refusal('the assembly', 'has no stack')
  const other = others.find((stack) => stack.account !== first.account || stack.region !== first.region)
  if (other === undefined) return first
  throw new Refusal(other.name, `is in another account or region than ${first.name}`)
}
