// Gives constructs the environment that they are deployed in. Each stack sets it once, for everything in it.
import type { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { deployedName } from '../../core/contract/deployed-names.ts'

const ENVIRONMENT = 'sluice:environment'

/** Call this function before anything is created in the stack. */
export function setEnvironment(stack: Stack, environment: string | undefined): void {
  stack.node.setContext(ENVIRONMENT, environment)
}

/** The deployed form of `name`, in the environment of `scope`. */
export function nameIn(scope: Construct, name: string): string {
  return deployedName(name, scope.node.tryGetContext(ENVIRONMENT))
}
