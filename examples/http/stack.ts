// An API and an address that take purchases over HTTP from callers with IAM permissions.
import type { Sluice } from '@sluice/infra'
import { Stack, type StackProps } from 'aws-cdk-lib'
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'

export const DESK = 'example-http'

export class HttpExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const desk = new ExampleFunction(this, 'Desk', {
      functionName: DESK,
      entry: `${__dirname}/take-purchase.ts`,
    })
    sluice.grantConvert(desk)
    // Callers sign their requests. Give a role of theirs the permission with `route.grantInvoke(role)`.
    new HttpApi(this, 'Api', { apiName: 'example-purchases' }).addRoutes({
      path: '/purchases/{id}',
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('Call', desk),
      authorizer: new HttpIamAuthorizer(),
    })
    // The same without API Gateway: the function's own address, with `url.grantInvokeUrl(role)`.
    desk.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  }
}
