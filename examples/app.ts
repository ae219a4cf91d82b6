// One app with Sluice and every example beside it. In your own app take the stack that you need.
import { Sluice, type SluiceProps } from '@sluice/infra'
import { App, Arn } from 'aws-cdk-lib'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { ApiGatewayExample } from './api-gateway/stack.js'
import { BucketExample } from './bucket/stack.js'
import { EventRuleExample } from './event-rule/stack.js'
import { HttpExample } from './http/stack.js'
import { LambdaExample } from './lambda/stack.js'
import { AskingAccountExample, EndsElsewhereExample, ORDERS_BUS } from './other-account/stack.js'
import { PayoutFileExample } from './payout-file/stack.js'
import { PipeExample } from './pipe/stack.js'
import { QueueExample } from './queue/stack.js'
import { ScheduleExample } from './schedule/stack.js'
import { StepFunctionsExample } from './step-functions/stack.js'
import { TaskTokenExample } from './task-token/stack.js'
import { TopicExample } from './topic/stack.js'

export interface ExamplesProps extends SluiceProps {
  readonly outDir: string
}

export function createExamplesApp(props: ExamplesProps): App {
  const { app, sluice } = createSluice(props)
  new LambdaExample(app, 'LambdaExample', { sluice })
  new HttpExample(app, 'HttpExample', { sluice })
  new QueueExample(app, 'QueueExample', { sluice })
  new TopicExample(app, 'TopicExample', { sluice })
  new EventRuleExample(app, 'EventRuleExample', { sluice })
  new ScheduleExample(app, 'ScheduleExample', { sluice })
  new StepFunctionsExample(app, 'StepFunctionsExample', { sluice })
  new TaskTokenExample(app, 'TaskTokenExample', { sluice })
  new BucketExample(app, 'BucketExample', { sluice })
  new PayoutFileExample(app, 'PayoutFileExample', { sluice })
  return app
}

/** The examples that need what one machine has not: pipes, an API that calls Step Functions, and another account. */
export function createAwsOnlyApp(props: ExamplesProps): App {
  const { app, sluice } = createSluice(props)
  const env = { account: '111111111111', region: 'eu-west-1' }
  const other = { account: '222222222222', region: 'eu-west-1' }
  const busIn = (place: typeof env, resourceName: string) =>
    Arn.format({ partition: 'aws', service: 'events', resource: 'event-bus', resourceName, ...place })
  new ApiGatewayExample(app, 'ApiGatewayExample', { sluice })
  new PipeExample(app, 'PipeExample', { sluice })
  new AskingAccountExample(app, 'AskingAccountExample', {
    ...{ env: other, sluiceAccount: env.account, sluiceBus: busIn(env, 'sluice') },
  })
  new EndsElsewhereExample(app, 'EndsElsewhereExample', { sluice, theirBus: busIn(other, ORDERS_BUS) })
  return app
}

function createSluice({ outDir, ...props }: ExamplesProps): { readonly app: App; readonly sluice: Sluice } {
  const context = { ...CURRENTLY_RECOMMENDED_FLAGS, 'aws:cdk:enable-path-metadata': true }
  const app = new App({ outdir: outDir, context, analyticsReporting: false })
  return { app, sluice: new Sluice(app, 'Treasury', props) }
}
