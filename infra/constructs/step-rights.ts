// Turns the rights of a row of steps.ts into statements of the function's role and variables of the function.
import { CfnParameter, Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { IEventBus } from 'aws-cdk-lib/aws-events'
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { Environment } from '../../core/contract/environment.ts'
import { LISTED_INDEX, recordKey } from '../../core/contract/records.ts'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import type { StateMachine, Verb } from '../../core/contract/states.ts'
import { roleKeyOf, type Treasury } from '../../core/contract/treasury.ts'
import { BUNDLED_TREASURY_FILE } from '../../core/treasury/config.ts'
import { DECISIONS, type JournalAccess } from '../journal-records.ts'
import type { Right, Variable } from '../step.ts'
import { stepOf } from '../steps.ts'
import { RELEASE } from './configuration.ts'
import { busIn } from './deployed-name.ts'
import { decisionAliasIn, type KeyAccess, keyAccess, onDecisionKey } from './key-access.ts'
import { acknowledgeExecutions, executionsOf, type NamedMachine } from './machine-role.ts'
import { mayDecrypt } from './own-keys.ts'
import { mayPublish } from './request-bus.ts'

/**
 * The record with the journal's table and format. A function checks it before it uses any other record. No function
 * writes it.
 */
const IDENTITY = recordKey.journal

function statement(action: string, resource: string, keys: readonly string[]): readonly PolicyStatement[] {
  if (keys.length === 0) return []
  return [
    new PolicyStatement({
      actions: [action],
      resources: [resource],
      // `ForAllValues` is the only form that AWS documents for this key. Each of these requests names one key.
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
    }),
  ]
}

/** The surroundings of the functions of one part of a stack. */
export interface Place {
  readonly treasury: Treasury
  readonly code: Code
  readonly journal: ITable
  /** Machines whose executions a function may start, describe or list. */
  readonly machines?: readonly NamedMachine[]
  /** Bus on which a function may publish. */
  readonly bus?: IEventBus
  /** Variables that only this place knows; `undefined` omits the variable. */
  readonly variables?: Readonly<Partial<Record<Variable, string | undefined>>>
}

export type Variables = Readonly<Partial<Record<Variable, string>>>

export function statementsOf(scope: Construct, verb: Verb, place: Place): readonly PolicyStatement[] {
  return stepOf(verb).may.flatMap((right) => statements(scope, right, place))
}

function statements(scope: Construct, right: Right, place: Place): readonly PolicyStatement[] {
  if ('journal' in right) {
    const statements = journalStatements(place.journal, right.journal)
    return countsDecisions(right) ? [...statements, onDecisionKey(scope, 'kms:GetPublicKey')] : statements
  }
  if ('key' in right) {
    const { reads, signs } = keyOf(scope, right.key, place)
    return right.signs === true ? signs : reads
  }
  if ('decisions' in right) return [onDecisionKey(scope, 'kms:Sign')]
  if ('publishes' in right) {
    if (place.bus === undefined) throw new Error('this place has no bus')
    return [mayPublish(place.bus, right.publishes)]
  }
  const machines = machinesOf(right, place)
  if ('describes' in right) {
    for (const each of machines) acknowledgeExecutions(scope, each, EXECUTIONS_REASON)
    const executions = machines.map((each) => executionsOf(scope, each))
    return [new PolicyStatement({ actions: ['states:DescribeExecution'], resources: executions })]
  }
  const action = 'starts' in right ? 'states:StartExecution' : 'states:ListExecutions'
  return [new PolicyStatement({ actions: [action], resources: machines.map(({ machine }) => machine.stateMachineArn) })]
}

/**
 * Statements for a function's access. The journal's protocol uses only conditional puts and consistent reads of single
 * records. Without delete and scan, no bug can forget an intent.
 */
function journalStatements(
  journal: ITable,
  { lists = [], reads = [], writes = [], writesNever = [] }: JournalAccess,
): readonly PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['dynamodb:DescribeTable'], resources: [journal.tableArn] }),
    ...statement('dynamodb:GetItem', journal.tableArn, [...reads, IDENTITY]),
    ...statement('dynamodb:PutItem', journal.tableArn, writes),
    ...(writesNever.length === 0 ? [] : [denial(journal.tableArn, writesNever)]),
    ...statement('dynamodb:Query', `${journal.tableArn}/index/${LISTED_INDEX}`, lists),
    ...mayDecrypt(journal, 'journal', 'dynamodb'),
  ]
}

function denial(resource: string, keys: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.DENY,
    actions: ['dynamodb:PutItem'],
    resources: [resource],
    conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
  })
}

const EXECUTIONS_REASON = 'It reads executions whose names follow from what asked for them, and are not known before.'

export function environmentOf(scope: Construct, verb: Verb, place: Place): Variables {
  const { knows, may } = stepOf(verb)
  const machines = new Set(may.flatMap((right) => machinesOf(right, place)))
  const arns = Object.fromEntries([...machines].map(({ name, machine }) => [name, machine.stateMachineArn]))
  return {
    ...Object.assign({}, ...may.map((right) => variables(scope, right, place))),
    ...(machines.size > 0 && { [Environment.StateMachines]: Stack.of(scope).toJsonString(arns) }),
    ...Object.assign({}, ...knows.map((name) => known(scope, name, place))),
  }
}

function variables(scope: Construct, right: Right, place: Place): Variables {
  if ('journal' in right) {
    const counts = countsDecisions(right) && { [Environment.DecisionKey]: decisionAliasIn(scope) }
    return { [Environment.JournalTable]: place.journal.tableName, ...counts }
  }
  if (!('key' in right)) return {}
  return {
    ...keyOf(scope, right.key, place).environment,
    [Environment.ServiceUrl]: serviceUrlParameter(scope, place.treasury),
    [Environment.Stage]: place.treasury.service.stage,
  }
}

function known(scope: Construct, name: Variable, { treasury, variables = {} }: Place): Variables {
  switch (name) {
    case Environment.Timing:
      return { [name]: JSON.stringify(treasury.timing) }
    case Environment.TreasuryFile:
      return { [name]: BUNDLED_TREASURY_FILE }
    case Environment.Shared:
      return { [name]: String(treasury.service.shared ?? 'unknown') }
    case Environment.ServiceUrl:
      return { [name]: serviceUrlParameter(scope, treasury) }
    case Environment.Release:
      return { [name]: RELEASE }
    case Environment.Stack:
      return { [name]: Stack.of(scope).stackId }
    case Environment.EventBus:
      return { [name]: busIn(scope) }
    default: {
      if (!(name in variables)) throw new Error(`the place of this function does not set ${name}`)
      const value = variables[name]
      return value === undefined ? {} : { [name]: value }
    }
  }
}

/** Whoever reads decisions counts them by the public half of their key. */
function countsDecisions({ journal }: Extract<Right, { journal: unknown }>): boolean {
  return journal.reads?.includes(DECISIONS) === true
}

function keyOf(scope: Construct, role: KeyRole, { treasury }: Place): KeyAccess {
  return keyAccess(scope, { role, kmsKey: undefined, ...roleKeyOf(treasury.service, role) })
}

/** The machines of a right, in the order of the place. */
function machinesOf(right: Right, { machines = [] }: Place): readonly NamedMachine[] {
  const names: readonly StateMachine[] =
    'starts' in right ? right.starts : 'describes' in right ? right.describes : 'lists' in right ? right.lists : []
  const known = machines.filter(({ name }) => names.includes(name))
  if (known.length < names.length) throw new Error(`this place lacks a machine of ${names.join(', ')}`)
  return known
}

/**
 * Returns the address without `/v2`. The first call for a stack creates its parameter. The default is the address in
 * treasury.json. By itself, cdk would keep a deployed value, so `sluice deploy` passes `--no-previous-parameters`.
 */
function serviceUrlParameter(scope: Construct, { service }: Treasury): string {
  const stack = Stack.of(scope)
  const existing = stack.node.tryFindChild('ServiceUrl')
  if (existing instanceof CfnParameter) return existing.valueAsString
  const parameter = new CfnParameter(stack, 'ServiceUrl', {
    description: 'Address of the conversion service, without /v2.',
    default: service.url,
    // verb-function.ts uses the address as the description of a function version. Lambda allows 256 characters there.
    allowedPattern: 'https?://[^\\s?#@]{1,240}',
  })
  return parameter.valueAsString
}
