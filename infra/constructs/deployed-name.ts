// Owns how a construct knows the environment that it is deployed in: the app says it once, for all stacks.
import type { App } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { deployedName } from '../../core/contract/deployed-names.ts'

const ENVIRONMENT = 'sluice:environment'

/** Before the first stack is made. */
export function setEnvironment(app: App, environment: string | undefined): void {
  app.node.setContext(ENVIRONMENT, environment)
}

/** What `name` is called where `scope` is deployed. */
export function nameIn(scope: Construct, name: string): string {
  return deployedName(name, scope.node.tryGetContext(ENVIRONMENT))
}
