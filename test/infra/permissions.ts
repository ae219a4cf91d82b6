// Reads the permissions of roles from a template, as `action → resource`.
import type { Template } from 'aws-cdk-lib/assertions'

/** Every function's role has it, and passed-roles.test.ts tests it. */
const ONLY_FROM_ITS_FUNCTION = 'OnlyFromItsFunction'

export interface Statement {
  readonly Sid?: string
  readonly Action: string | string[]
  readonly Effect: string
  readonly Resource: unknown
  readonly Condition?: unknown
}

/** Statements of the role with this logical id, without the one that all functions have. */
export function statementsOf(template: Template, roleId: string): Statement[] {
  return Object.values(template.findResources('AWS::IAM::Policy'))
    .filter(({ Properties }) => Properties.Roles.some((role: { Ref: string }) => role.Ref === roleId))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement as Statement[])
    .filter(({ Sid }) => Sid !== ONLY_FROM_ITS_FUNCTION)
}

/** `nameOf`: a readable name of the resource behind a reference. */
export function permissionsOf(template: Template, roleId: string, nameOf: (resource: unknown) => string): string[] {
  return statementsOf(template, roleId)
    .flatMap(({ Action, Effect, Resource }) => {
      const may = Effect === 'Deny' ? 'never ' : ''
      return [Action].flat().flatMap((action) => [Resource].flat().map((on) => `${may}${action} → ${nameOf(on)}`))
    })
    .sort()
}
