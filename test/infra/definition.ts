// Reads a state machine's definition from a template, as it is deployed.
import type { Template } from 'aws-cdk-lib/assertions'
import { ErrorName } from '../../core/contract/errors.ts'
import type { StateMachine } from '../../core/contract/states.ts'

export interface StateDefinition {
  readonly Type: string
  readonly Next?: string
  readonly Default?: string
  readonly Resource?: string
  readonly Parameters?: Readonly<Record<string, unknown>>
  readonly ResultPath?: string | null
  readonly TimeoutSeconds?: number
  readonly SecondsPath?: string
  readonly Error?: string
  readonly CausePath?: string
  readonly Retry?: readonly Retrier[]
  readonly Catch?: readonly {
    readonly ErrorEquals: readonly string[]
    readonly Next: string
    readonly ResultPath?: string | null
  }[]
  readonly End?: boolean
  readonly ItemsPath?: string
  readonly MaxConcurrency?: number
  readonly ItemProcessor?: Pick<MachineDefinition, 'StartAt' | 'States'>
  readonly Choices?: readonly { readonly Variable: string; readonly StringEquals: string; readonly Next: string }[]
}

export interface Retrier {
  readonly ErrorEquals: readonly string[]
  readonly IntervalSeconds: number
  readonly MaxAttempts: number
  readonly BackoffRate: number
  readonly MaxDelaySeconds?: number
}

export interface MachineDefinition {
  readonly StartAt: string
  readonly TimeoutSeconds: number
  readonly States: Readonly<Record<string, StateDefinition>>
}

/**
 * The definition of a template's machine, by name. The logical id of the owner replaces an ARN, and the function's id
 * replaces that of a version.
 */
export function definitionOf(template: Template, name: StateMachine): MachineDefinition {
  const machines = Object.values(template.findResources('AWS::StepFunctions::StateMachine'))
  const machine = machines.find(({ Properties }) => Properties.StateMachineName === name)
  const parts: unknown[] = machine?.Properties.DefinitionString['Fn::Join'][1]
  const versions = template.findResources('AWS::Lambda::Version')
  const functionOf = (id: string): string => versions[id]?.Properties.FunctionName.Ref ?? id
  const text = parts.map((part) => (typeof part === 'string' ? part : functionOf(logicalIdOf(part)))).join('')
  return JSON.parse(text)
}

function logicalIdOf(reference: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = reference as {
    readonly Ref?: string
    readonly 'Fn::GetAtt'?: [string, string]
  }
  return Ref ?? attribute?.[0] ?? ''
}

/** Every state that may follow directly. */
export function successorsOf(state: StateDefinition): string[] {
  const caught = (state.Catch ?? []).map((catcher) => catcher.Next)
  const chosen = (state.Choices ?? []).map((choice) => choice.Next)
  return [...caught, ...chosen, state.Next, state.Default].filter((name) => name !== undefined)
}

/** States entered if every step answers at once with the given outcome, including the end. */
export function pathFor(definition: MachineDefinition, outcome: string): string[] {
  const path: string[] = []
  for (let name: string | undefined = definition.StartAt; name !== undefined; ) {
    if (path.length > 20) throw new Error(`no end with ${outcome}: ${path.join(' → ')}`)
    path.push(name)
    const state: StateDefinition | undefined = definition.States[name]
    name = state?.Choices?.find((choice) => choice.StringEquals === outcome)?.Next ?? state?.Default ?? state?.Next
  }
  return path
}

/** The retriers of a step for faults, without the retrier for the service's rate limit. */
export function faultRetries({ Retry = [] }: StateDefinition): readonly Retrier[] {
  return Retry.filter(({ ErrorEquals }) => !ErrorEquals.includes(ErrorName.RateLimited))
}

/** Sum of the longest waits of a retrier, in seconds. */
export function waitsOf(retrier: Retrier): number {
  let total = 0
  let wait = retrier.IntervalSeconds
  for (let attempt = 0; attempt < retrier.MaxAttempts; attempt += 1) {
    total += Math.min(wait, retrier.MaxDelaySeconds ?? Number.POSITIVE_INFINITY)
    wait *= retrier.BackoffRate
  }
  return total
}
