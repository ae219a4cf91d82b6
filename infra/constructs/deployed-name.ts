// Gives constructs the environment that they are deployed in. The app sets it once, for all stacks.
import type { App } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { deployedName } from '../../core/contract/deployed-names.ts'

const ENVIRONMENT = 'sluice:environment'

/** Call this function before the first stack is created. */
export function setEnvironment(app: App, environment: string | undefined): void {
  app.node.setContext(ENVIRONMENT, environment)
}

/** The deployed form of `name`, in the environment of `scope`. */
export function nameIn(scope: Construct, name: string): string {
  return deployedName(name, scope.node.tryGetContext(ENVIRONMENT))
}
