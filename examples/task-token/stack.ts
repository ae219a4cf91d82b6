// A state machine of yours that asks for a purchase by an event, and waits for its end by a task token. It needs no permission
// to start executions of Sluice, and works from another account too.
import type { Sluice } from '@sluice/infra'
import { ArnFormat, Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import {
  DefinitionBody,
  Fail,
  IntegrationPattern,
  JsonPath,
  StateMachine,
  Succeed,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions'
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'

export const WAITING_ORDERS = 'example-waiting-orders'
export const WAITS = 'example-waits'

/** Outcomes after which nothing moved. Every other outcome but FILLED is for people. */
const NOTHING = ['PRICE_REFUSED', 'EXPIRED_OUT', 'REJECTED']

export class TaskTokenExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const waits = new Table(this, 'Waits', {
      ...{ tableName: WAITS, billingMode: BillingMode.PAY_PER_REQUEST },
      partitionKey: { name: 'order', type: AttributeType.STRING },
    })
    const failed = new Queue(this, 'Failed', { encryption: QueueEncryption.SQS_MANAGED })
    const asker = new ExampleFunction(this, 'Asker', {
      entry: `${__dirname}/ask.ts`,
      environment: { WAITS: waits.tableName, SLUICE_BUS: sluice.bus.eventBusName },
    })
    sluice.grantRequest(asker, 'Conversion Requested')
    const listener = new ExampleFunction(this, 'Listener', {
      entry: `${__dirname}/hear-end.ts`,
      environment: { WAITS: waits.tableName },
      // Lambda tries again twice. Then the event goes to this queue, with the error.
      onFailure: new SqsDestination(failed),
    })
    const target = new LambdaFunction(listener, { deadLetterQueue: failed })
    sluice.onConversionEnded('Ended', { target, crossStackScope: this })

    // The machine's ARN by its name, because the machine itself names one of the functions.
    const machineArn = this.formatArn({
      ...{ service: 'states', resource: 'stateMachine', resourceName: WAITING_ORDERS },
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
    const mayReport = { actions: ['states:SendTaskSuccess', 'states:SendTaskFailure'], resources: [machineArn] }
    for (const each of [asker, listener]) {
      each.addToRolePolicy(new PolicyStatement(mayReport))
      waits.grant(each, 'dynamodb:UpdateItem')
    }
    new StateMachine(this, 'Orders', {
      stateMachineName: WAITING_ORDERS,
      definitionBody: DefinitionBody.fromChainable(this.#process(asker)),
    })
  }

  #process(asker: ExampleFunction): LambdaInvoke {
    const buy = new LambdaInvoke(this, 'Buy', {
      lambdaFunction: asker,
      integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
      payload: TaskInput.fromObject({
        order: JsonPath.stringAt('$.order'),
        amount: JsonPath.stringAt('$.amount'),
        token: JsonPath.taskToken,
      }),
      // A request that Sluice refuses has no end. It is in the dead letters of Sluice.
      taskTimeout: Timeout.duration(Duration.hours(6)),
      resultPath: '$.purchase',
    })
    buy.addRetry({ errors: ['BusRefused'], interval: Duration.seconds(5), maxAttempts: 6 })
    const states = (name: string, error: string, cause: string) => new Fail(this, name, { error, cause })
    buy.addCatch(states('MovedNothing', 'MOVED_NOTHING', 'Nothing was bought.'), { errors: NOTHING })
    // An order that failed may have fills.
    buy.addCatch(states('Perhaps', 'PERHAPS_IN_PART', 'The record of the movement says what was bought.'), {
      errors: ['FAILED'],
    })
    buy.addCatch(states('NoEnd', 'NO_END', 'No end came in time. Ask with the same order again, and under no other.'), {
      errors: ['States.Timeout'],
    })
    buy.addCatch(states('NeedsPerson', 'NEEDS_PERSON', 'Money may have moved. Do not buy under another id.'))
    buy.next(new Succeed(this, 'Bought'))
    return buy
  }
}
