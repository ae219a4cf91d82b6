// Reads event buses and rules from their resolved properties. A rule on a schedule is refused: that is
// EventBridge Scheduler's business.
import { parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import { parsePattern } from '../events/event-pattern.ts'
import { busName } from '../events/put-events.ts'
import type { EventBus, Rule, RuleTarget } from '../events/rule.ts'
import { readTargetInput } from '../events/target-input.ts'
import { Fields, isObject } from '../fields.ts'
import type { Placed } from './identity.ts'
import { readDeadLetterArn, readRetryPolicy } from './read-delivery.ts'

/** AWS: targets of one rule. */
const MOST_TARGETS = 5

export function readBus(properties: Fields, { arn, name }: Placed): EventBus {
  properties.ignore(['Name', 'Description', 'KmsKeyIdentifier', 'LogConfig', 'Policy', 'Tags'])
  return { name, arn }
}

/** What a bus' own policy denies. What it allows is for other accounts, and there are none here. */
export function readBusPolicy(properties: Fields): readonly Statement[] {
  if (!properties.has('Policy')) return []
  const policy = properties.object('Policy')
  const denials = [policy.raw('Statement')].flat().filter((each) => !isObject(each) || each.Effect !== 'Allow')
  return parseResourcePolicy({ Statement: denials }, policy.where)
}

export function readRule(properties: Fields, { arn, name }: Placed): Rule {
  properties.ignore(['Name', 'Description', 'Tags'])
  const state = properties.findText('State') ?? 'ENABLED'
  if (state !== 'ENABLED' && state !== 'DISABLED') throw properties.refuse('State', `${state} is not supported`)
  const targets = properties.has('Targets') ? properties.list('Targets') : []
  if (targets.length > MOST_TARGETS) throw properties.refuse('Targets', `at most ${MOST_TARGETS}`)
  return {
    name,
    arn,
    bus: busName(properties.findText('EventBusName')),
    isEnabled: state === 'ENABLED',
    matches: parsePattern(properties.raw('EventPattern'), `${properties.where}.EventPattern`),
    targets: targets.map((target, index) => readTarget(new Fields(target, `${properties.where}.Targets[${index}]`))),
  }
}

function readTarget(target: Fields): RuleTarget {
  target.ignore(['Id'])
  const read = {
    targetArn: target.text('Arn'),
    roleArn: target.findText('RoleArn'),
    deadLetterArn: readDeadLetterArn(target),
    ...readRetryPolicy(target),
    input: readTargetInput(target),
  }
  target.close()
  return read
}
