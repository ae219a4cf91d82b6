// Evaluates a template for quotas of size: each value becomes the longest text that AWS may make of it. A name or an
// ARN that AWS generates has its maximum length.
import type { Template } from 'aws-cdk-lib/assertions'

/** The longest of each that AWS has. */
const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::URLSuffix': 'amazonaws.com.cn',
  'AWS::StackName': 's'.repeat(128),
}
/** A generated name, as long as IAM's maximum for the name of a role. */
const generated = (logicalId: string) => logicalId.padEnd(64, 'g').slice(0, 64)

export interface Resource {
  readonly Type: string
  readonly Properties: Readonly<Record<string, unknown>>
}

/** All resources with their properties as plain values. `parameters`: texts for the template's parameters. */
export function longestResources(template: Template, parameters: Readonly<Record<string, string>>) {
  const { Resources } = template.toJSON() as { readonly Resources: Readonly<Record<string, Resource>> }
  const nameOf = (logicalId: string): string => {
    const { Properties = {} } = Resources[logicalId] ?? {}
    const named = Object.entries(Properties).find(([key]) => /^(\w*Name|Name)$/.test(key) && key !== 'DisplayName')
    return named === undefined ? generated(logicalId) : String(resolve(named[1]))
  }
  const arnOf = (logicalId: string): string => {
    const [, service = '', type = ''] = Resources[logicalId]?.Type.toLowerCase().split('::') ?? []
    return resolveText([
      `arn:`,
      PSEUDO['AWS::Partition'],
      `:${service}:`,
      PSEUDO['AWS::Region'],
      ':',
      PSEUDO['AWS::AccountId'],
      `:${type}${resolve(Resources[logicalId]?.Properties?.Path ?? '/')}`,
      nameOf(logicalId),
    ])
  }
  const resolveText = (parts: readonly unknown[]) => parts.map((part) => String(resolve(part))).join('')
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const [[key, argument] = ['', undefined], ...others] = Object.entries(value)
    if (others.length === 0) {
      if (key === 'Ref') return PSEUDO[String(argument)] ?? parameters[String(argument)] ?? nameOf(String(argument))
      if (key === 'Fn::GetAtt') return arnOf(String([argument].flat()[0]))
      if (key === 'Fn::Join') {
        const [between, parts] = argument as [string, readonly unknown[]]
        return (resolve(parts) as readonly unknown[]).join(between)
      }
      if (key === 'Fn::Split' || key === 'Fn::Select') {
        const [by, from] = resolve(argument) as [string, never]
        return key === 'Fn::Split' ? String(from).split(by) : from[Number(by)]
      }
      if (key === 'Fn::Sub')
        return String(argument).replaceAll(/\$\{([^}]+)\}/g, (_, name) => String(resolve({ Ref: name })))
      if (key.startsWith('Fn::')) throw new TypeError(`${key} is not evaluated here: add it`)
    }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part)]))
  }
  return Object.entries(Resources).map(([id, { Type, Properties = {} }]) => ({
    ...{ id, Type, Properties: resolve(Properties) as Resource['Properties'] },
  }))
}
