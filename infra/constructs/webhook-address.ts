// Owns the address to which the service delivers webhooks: a function URL. Anybody can reach it, so the function checks
// a signature first, holds no key of the service, and may only fill a queue.
import { CfnOutput } from 'aws-cdk-lib'
import { FunctionUrlAuthType, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'

export class WebhookAddress extends Construct {
  constructor(scope: Construct, id: string, receiveWebhook: LambdaFunction) {
    super(scope, id)
    const { url } = receiveWebhook.addFunctionUrl({ authType: FunctionUrlAuthType.NONE })
    new CfnOutput(this, 'Url', {
      description: 'Where the dashboard of the service is to send its webhooks.',
      value: url,
    })
  }
}
