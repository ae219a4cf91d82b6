// A function of an example: bundled from its TypeScript, with what the client needs to find the deployment.
import { Duration, Stack } from 'aws-cdk-lib'
import { Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogLevel, NodejsFunction, type NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs'
import type { Construct } from 'constructs'

export class ExampleFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, { environment, ...props }: NodejsFunctionProps) {
    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.minutes(1),
      // The SDK goes into the bundle, so that its version is the tested one.
      bundling: { externalModules: [], minify: true, logLevel: LogLevel.ERROR },
      ...props,
      environment: { SLUICE_ACCOUNT: Stack.of(scope).account, ...environment },
    })
  }
}
