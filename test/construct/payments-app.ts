// Another company's app, as its engineers would write it: a stack of payments around the construct, and a stack of
// books beside it that receives the ends. A third stack has the VPC of every function.
import { App, Stack } from 'aws-cdk-lib'
import { GatewayVpcEndpointAwsService, InterfaceVpcEndpointAwsService, type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { type Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { Sluice, type SluiceProps } from '../../infra/index.ts'

export const ENDS_QUEUE = 'books-purchases'
export const BUYER = 'payments-buyer'
export const ASKER = 'payments-asker'

export interface PaymentsProps extends SluiceProps {
  readonly outDir: string
  /** Folder with the bundle of buyer.ts. */
  readonly code: () => Code
}

export function createPaymentsApp({ code, outDir, ...props }: PaymentsProps): App {
  // The embedded AWS finds resources by the paths in the templates.
  const context = { ...CURRENTLY_RECOMMENDED_FLAGS, 'aws:cdk:enable-path-metadata': true }
  const app = new App({ outdir: outDir, context, analyticsReporting: false })
  const payments = new Stack(app, 'Payments')
  // A stack of its own, because the stacks of Sluice use the VPC, and the stack of payments uses theirs.
  const made = new Vpc(new Stack(app, 'Network'), 'Vpc', { maxAzs: 2, natGateways: 1 })
  made.addGatewayEndpoint('Journal', { service: GatewayVpcEndpointAwsService.DYNAMODB })
  made.addInterfaceEndpoint('States', { service: InterfaceVpcEndpointAwsService.STEP_FUNCTIONS })
  // CDK's types are inexact about `undefined`.
  const vpc = made as IVpc
  const sluice = new Sluice(payments, 'Treasury', { vpc, ...props })

  const { convert, withdraw } = sluice.stateMachines
  const machines = { CONVERT: convert.stateMachineArn, WITHDRAW: withdraw.stateMachineArn }
  const common = { vpc, runtime: Runtime.NODEJS_24_X, environment: machines, code: code() }
  const buyer = new Lambda(payments, 'Buyer', { ...common, functionName: BUYER, handler: 'buyer.buy' })
  const asker = new Lambda(payments, 'Asker', { ...common, functionName: ASKER, handler: 'buyer.ask' })
  for (const each of [buyer, asker]) sluice.grantConvert(each)

  const books = new Stack(app, 'Books')
  const ends = new Queue(books, 'Ends', { queueName: ENDS_QUEUE, encryption: QueueEncryption.SQS_MANAGED })
  sluice.onConversionEnded('Bought', { target: new SqsQueue(ends), crossStackScope: books })
  return app
}
