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

/** Types that change nothing about how a run goes. */
const IGNORED_TYPES = [
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
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
  const tables: (TableDefinition & Placed)[] = []
  const secrets: (SecretDefinition & Placed)[] = []
  const functions: (FunctionDefinition & Placed)[] = []
  const stateMachines: (StateMachine & Placed)[] = []
  const policies = new Map<string, Statement[]>()
  const allow = (roleArn: string, statements: readonly Statement[]) =>
    policies.set(roleArn, [...(policies.get(roleArn) ?? []), ...statements])

  for (const stack of assembly.stacks) {
    for (const [logicalId, resource] of Object.entries(stack.template.resources)) {
      const { type, path } = resource
      if (IGNORED_TYPES.includes(type)) continue
      if (resource.condition !== undefined) throw new Refusal(path, 'a Condition on a resource is not supported')
      const properties = new Fields(resolver.resolve(stack, resource.properties, path), path)
      const placed = { path, ...identityOf(resolver, stack, logicalId, path) }
      switch (type) {
        case 'AWS::DynamoDB::Table':
          tables.push({ ...readTable(properties, placed), ...placed })
          break
        case 'AWS::SecretsManager::Secret':
          secrets.push({ ...readSecret(properties, placed), ...placed })
          break
        case 'AWS::Lambda::Function':
          functions.push({ ...readFunction(properties, placed, assembly.assetDirs), ...placed })
          break
        case 'AWS::StepFunctions::StateMachine':
          stateMachines.push({ ...readStateMachine(properties, placed), ...placed })
          break
        case 'AWS::IAM::Role':
          allow(placed.arn, readRole(properties))
          break
        case 'AWS::IAM::Policy': {
          const policy = readPolicy(properties)
          for (const role of policy.roles) allow(`arn:aws:iam::${stack.account}:role/${role}`, policy.statements)
          break
        }
        default:
          throw new Refusal(path, `resources of type ${type} are not supported`)
      }
      properties.close()
    }
  }
  return { account, region, tables, secrets, functions, stateMachines, policies }
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
