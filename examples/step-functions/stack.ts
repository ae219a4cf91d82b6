// A state machine of yours that waits for a conversion (`startExecution.sync:2`), and branches on its outcome.
import type { Sluice } from '@sluice/infra'
import { Stack, type StackProps } from 'aws-cdk-lib'
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  IntegrationPattern,
  JsonPath,
  StateMachine,
  Succeed,
  TaskInput,
} from 'aws-cdk-lib/aws-stepfunctions'
import { StepFunctionsStartExecution } from 'aws-cdk-lib/aws-stepfunctions-tasks'
import type { Construct } from 'constructs'

export const ORDERS = 'example-orders'

export class StepFunctionsExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const buy = new StepFunctionsStartExecution(this, 'Buy', {
      stateMachine: sluice.stateMachines.convert,
      integrationPattern: IntegrationPattern.RUN_JOB,
      // The order's id is the movement's, so that a second execution for this order buys nothing.
      name: JsonPath.stringAt('$.order'),
      input: TaskInput.fromObject({
        ...{ baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC' },
        amount: JsonPath.stringAt('$.amount'),
        maxSlippageBps: 50,
      }),
      // A request has no other fields, so it must not name its parent.
      associateWithParent: false,
      resultPath: '$.purchase',
    })
    const states = (name: string, error: string, cause: string) => new Fail(this, name, { error, cause })
    buy.addCatch(states('AskedBefore', 'ASKED_BEFORE', 'This order was bought before. Its execution has the result.'), {
      errors: ['StepFunctions.ExecutionAlreadyExistsException'],
    })
    // Its execution failed: OWN_FAULT, STUCK or NEEDS_ATTENTION. Only people may say what follows.
    buy.addCatch(states('NeedsPerson', 'NEEDS_PERSON', 'Money may have moved. Do not buy under another id.'))
    const nothing = states('MovedNothing', 'MOVED_NOTHING', 'Nothing was bought. The output of the purchase says why.')
    const ended = new Choice(this, 'Ended')
      .when(Condition.stringEquals('$.purchase.Output.outcome', 'FILLED'), new Succeed(this, 'Bought'))
      // An order that failed may have fills.
      .when(
        Condition.stringEquals('$.purchase.Output.outcome', 'FAILED'),
        states('Perhaps', 'PERHAPS_IN_PART', 'The fills of the purchase say what was bought.'),
      )
      .otherwise(nothing)
    new StateMachine(this, 'Orders', {
      stateMachineName: ORDERS,
      definitionBody: DefinitionBody.fromChainable(buy.next(ended)),
    })
  }
}
