// API Gateway starts the execution itself, without code: POST /purchases/ID, with the request as JSON. The answer is the
// execution's ARN and not its end. Nothing checks the request before it starts: a wrong one is a failed execution.
import type { Sluice } from '@sluice/infra'
import { Stack, type StackProps } from 'aws-cdk-lib'
import { HttpApi, HttpMethod, ParameterMapping } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpStepFunctionsIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'

export class ApiGatewayExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const machine = sluice.stateMachines.convert
    const parameterMapping = new ParameterMapping()
      .custom('StateMachineArn', machine.stateMachineArn)
      .custom('Input', '$request.body')
      // The trap: without a name Step Functions makes up another one for each POST, and each is another purchase. The
      // name is the id. It stays taken for 90 days: a POST again answers with the same execution while that runs, and
      // 400 ExecutionAlreadyExists afterwards. After 90 days the journal of Sluice still knows the id, and buys nothing.
      .custom('Name', '$request.path.id')
    new HttpApi(this, 'Api', { apiName: 'example-starts' }).addRoutes({
      path: '/purchases/{id}',
      methods: [HttpMethod.POST],
      integration: new HttpStepFunctionsIntegration('Start', {
        // The integration reads the ARN alone.
        stateMachine: machine as StateMachine,
        parameterMapping,
      }),
      authorizer: new HttpIamAuthorizer(),
    })
  }
}
