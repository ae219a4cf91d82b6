// Turns the rights of a row of steps.ts into statements of the function's role and variables of the function.
import { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { IEventBus } from 'aws-cdk-lib/aws-events'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { Environment } from '../../core/contract/environment.ts'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import type { StateMachine, Verb } from '../../core/contract/states.ts'
import { roleKeyOf, type Treasury } from '../../core/contract/treasury.ts'
import { BUNDLED_TREASURY_FILE } from '../../core/treasury/config.ts'
import { acknowledgeExecutions, executionsOf, type NamedMachine } from '../machines/machine-role.ts'
import type { Right, Variable } from '../step.ts'
import { stepOf } from '../steps.ts'
import { RELEASE } from './configuration.ts'
import { busIn } from './deployed-name.ts'
import { journalStatements } from './journal-access.ts'
import { acknowledgeAlias, type KeyAccess, keyAccess } from './key-access.ts'
import { mayPublish } from './request-bus.ts'
import { serviceUrlParameter } from './service-url.ts'

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
  if ('journal' in right) return journalStatements(place.journal, right.journal)
  if ('key' in right) {
    const { environment, reads, signs } = keyOf(scope, right.key, place)
    if (right.signs !== true) return reads
    if (environment[Environment.KmsKey]?.startsWith('alias/')) acknowledgeAlias(scope)
    return signs
  }
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
  if ('journal' in right) return { [Environment.JournalTable]: place.journal.tableName }
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
