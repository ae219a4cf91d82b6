// Resolves CloudFormation's intrinsic functions within one assembly: parameters, references, attributes, joined
// strings, and values of other stacks. Refuses any other function, with its place in the template.
// Source: CloudFormation template reference, "Intrinsic functions".

import { Refusal } from '../aws-error.ts'
import { Fields, isObject } from '../fields.ts'
import { derivedName, type Identity, identify, isRepeated, nameProperty, parentProperty } from './identity.ts'
import type { Assembly, Stack } from './read-assembly.ts'

export const PARTITION = 'aws'
/** Maximum nesting of references, far above any template. A deeper nesting is a circle. */
const MOST_NESTED = 50

/** Availability zones of every region here. */
const ZONES: readonly string[] = ['a', 'b', 'c']

const NO_VALUE = Symbol('AWS::NoValue')

export class Resolver {
  readonly #assembly: Assembly
  readonly #parameters: Readonly<Record<string, string>>
  readonly #identities = new Map<string, Identity>()
  #depth = 0

  /**
   * `parameters`: values by name, which override the templates' defaults. Throws Refusal for a name that no template
   * declares.
   */
  constructor(assembly: Assembly, parameters: Readonly<Record<string, string>>) {
    const declared = new Set(assembly.stacks.flatMap((stack) => Object.keys(stack.template.parameters)))
    const stray = Object.keys(parameters).find((name) => !declared.has(name))
    if (stray !== undefined) throw new Refusal(`parameter ${stray}`, 'no stack of the assembly declares it')
    this.#assembly = assembly
    this.#parameters = parameters
  }

  /** Returns the value with every intrinsic function resolved. `where` names the value in refusals. */
  resolve(stack: Stack, value: unknown, where: string): unknown {
    if (this.#depth > MOST_NESTED) throw new Refusal(where, 'references form a circle')
    this.#depth += 1
    try {
      const resolved = this.#resolve(stack, value, where)
      return resolved === NO_VALUE ? undefined : resolved
    } finally {
      this.#depth -= 1
    }
  }

  /** Returns the identity of a resource. Throws Refusal when the stack does not have this logical id. */
  identity(stack: Stack, logicalId: string, where: string): Identity {
    const key = `${stack.name}/${logicalId}`
    const known = this.#identities.get(key)
    if (known !== undefined) return known
    const resource = stack.template.resources[logicalId]
    if (resource === undefined) throw new Refusal(where, `refers to ${logicalId}, which the stack does not have`)
    const text = (property: string | undefined) => {
      const given = property !== undefined && isObject(resource.properties) ? resource.properties[property] : undefined
      const value = given === undefined ? undefined : this.resolve(stack, given, `${resource.path}.${property}`)
      return typeof value === 'string' ? value : undefined
    }
    const name = text(nameProperty(resource.type))
    const identity = identify(
      resource.type,
      name ?? derivedName(resource.type, stack.name, logicalId),
      { partition: PARTITION, account: stack.account, region: stack.region },
      text(parentProperty(resource.type)),
    )
    this.#identities.set(key, identity)
    return identity
  }

  #resolve(stack: Stack, value: unknown, where: string): unknown {
    if (typeof value === 'string' && value.includes('{{resolve:')) {
      throw new Refusal(where, 'a dynamic reference ({{resolve:…}}) is not supported')
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => this.#resolve(stack, item, `${where}[${index}]`)).filter(isValue)
    }
    if (!isObject(value)) return value
    const [name, ...others] = Object.keys(value)
    if (name !== undefined && others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) {
      return this.#call(stack, name, value[name], where)
    }
    const entries = Object.entries(value).map(
      ([key, inner]) => [key, this.#resolve(stack, inner, `${where}.${key}`)] as const,
    )
    return Object.fromEntries(entries.filter(([, inner]) => isValue(inner)))
  }

  #call(stack: Stack, name: string, argument: unknown, where: string): unknown {
    switch (name) {
      case 'Ref':
        return this.#ref(stack, String(argument), where)
      case 'Fn::GetAtt':
        return this.#attribute(stack, argument, where)
      case 'Fn::Join': {
        const [separator, parts] = this.#list(stack, argument, where)
        return texts(parts, where).join(String(separator))
      }
      case 'Fn::Split': {
        const [separator, text] = this.#list(stack, argument, where)
        return String(text).split(String(separator))
      }
      case 'Fn::Select': {
        const [index, items] = this.#list(stack, argument, where)
        const item: unknown = Array.isArray(items) ? items[Number(index)] : undefined
        if (item === undefined) throw new Refusal(where, `Fn::Select finds no item ${String(index)}`)
        return item
      }
      case 'Fn::GetAZs': {
        const region = String(this.resolve(stack, argument, where) || stack.region)
        return ZONES.map((zone) => `${region}${zone}`)
      }
      case 'Fn::Sub':
        return this.#substitute(stack, argument, where)
      case 'Fn::ImportValue':
        return this.#imported(String(this.resolve(stack, argument, where)), where)
      case 'Fn::GetStackOutput':
        return this.#outputOf(this.resolve(stack, argument, where), where)
      default:
        throw new Refusal(where, `${name} is not supported`)
    }
  }

  #ref(stack: Stack, name: string, where: string): unknown {
    const pseudo: Readonly<Record<string, unknown>> = {
      'AWS::AccountId': stack.account,
      'AWS::NoValue': NO_VALUE,
      'AWS::Partition': PARTITION,
      'AWS::Region': stack.region,
      'AWS::StackId': `arn:${PARTITION}:cloudformation:${stack.region}:${stack.account}:stack/${stack.name}/embedded`,
      'AWS::StackName': stack.name,
      'AWS::URLSuffix': 'amazonaws.com',
    }
    if (Object.hasOwn(pseudo, name)) return pseudo[name]
    if (name.startsWith('AWS::')) throw new Refusal(where, `the pseudo parameter ${name} is not supported`)
    const { parameters } = stack.template
    if (Object.hasOwn(parameters, name))
      return parameterValue(parameters[name], name, this.#parameters[name], stack.name)
    return this.identity(stack, name, where).ref
  }

  #attribute(stack: Stack, argument: unknown, where: string): string {
    const [logicalId = '', ...rest] = typeof argument === 'string' ? argument.split('.') : texts(argument, where)
    const attribute = rest.join('.')
    const value = this.identity(stack, logicalId, where).attributes[attribute]
    if (value !== undefined) return value
    const { properties, type = 'unknown' } = stack.template.resources[logicalId] ?? {}
    if (isRepeated(type, attribute) && isObject(properties) && properties[attribute] !== undefined)
      return String(this.resolve(stack, properties[attribute], where))
    throw new Refusal(where, `the attribute ${attribute} of ${logicalId} (${type}) is not supported`)
  }

  #substitute(stack: Stack, argument: unknown, where: string): string {
    const [template, given] = Array.isArray(argument) ? argument : [argument, {}]
    const values = this.resolve(stack, given, where)
    return String(template).replaceAll(/\$\{(!?)([^}]*)\}/g, (_whole, literal: string, name: string) => {
      if (literal !== '') return `\${${name}}`
      if (isObject(values) && Object.hasOwn(values, name)) return String(values[name])
      return String(name.includes('.') ? this.#attribute(stack, name, where) : this.#ref(stack, name, where))
    })
  }

  #imported(exportName: string, where: string): unknown {
    for (const stack of this.#assembly.stacks) {
      for (const [name, output] of Object.entries(stack.template.outputs)) {
        const place = `${stack.name}.Outputs.${name}`
        if (!isObject(output) || !isObject(output.Export) || output.Export.Name === undefined) continue
        if (this.resolve(stack, output.Export.Name, place) === exportName)
          return this.resolve(stack, output.Value, place)
      }
    }
    throw new Refusal(where, `no stack of the assembly exports ${exportName}`)
  }

  #outputOf(argument: unknown, where: string): unknown {
    const { StackName: stackName, OutputName: outputName } = isObject(argument) ? argument : {}
    const stack = this.#assembly.stacks.find((candidate) => candidate.name === stackName)
    const output = stack?.template.outputs[String(outputName)]
    if (stack === undefined || !isObject(output)) {
      throw new Refusal(where, `the assembly has no output ${String(outputName)} of stack ${String(stackName)}`)
    }
    return this.resolve(stack, output.Value, `${stack.name}.Outputs.${String(outputName)}`)
  }

  #list(stack: Stack, argument: unknown, where: string): readonly unknown[] {
    const resolved = this.resolve(stack, argument, where)
    if (Array.isArray(resolved)) return resolved
    throw new Refusal(where, 'a list is expected here')
  }
}

function isValue(value: unknown): boolean {
  return value !== NO_VALUE
}

function texts(value: unknown, where: string): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new Refusal(where, 'a list of strings is expected here')
}

/** Throws a Refusal that names the parameter. */
function parameterValue(declaration: unknown, name: string, given: string | undefined, stack: string): string {
  const where = `${stack}, parameter ${name}`
  const fields = new Fields(declaration, where).ignore(['Description', 'NoEcho', 'ConstraintDescription'])
  const type = fields.text('Type')
  if (type !== 'String' && type !== 'Number') throw fields.refuse('Type', `${type} is not supported`)
  const fallback = fields.raw('Default')
  const value = given ?? (fallback === undefined ? undefined : String(fallback))
  if (value === undefined) throw new Refusal(where, 'has no default and was given no value')
  if (type === 'Number' && (value.trim() === '' || Number.isNaN(Number(value))))
    throw new Refusal(where, 'must be a number')

  const pattern = fields.findText('AllowedPattern')
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value)) {
    throw new Refusal(where, `must match ${pattern}`)
  }
  const allowed = fields.has('AllowedValues') ? fields.list('AllowedValues').map(String) : undefined
  if (allowed !== undefined && !allowed.includes(value))
    throw new Refusal(where, `must be one of ${allowed.join(', ')}`)
  fields.close()
  return value
}
