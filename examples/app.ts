// One app with Sluice and every example beside it. In your own app take the stack that you need.
import { Sluice, type SluiceProps } from '@sluice/infra'
import { App } from 'aws-cdk-lib'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { BucketExample } from './bucket/stack.ts'
import { EventRuleExample } from './event-rule/stack.ts'
import { HttpExample } from './http/stack.ts'
import { LambdaExample } from './lambda/stack.ts'
import { PayoutFileExample } from './payout-file/stack.ts'
import { QueueExample } from './queue/stack.ts'
import { StepFunctionsExample } from './step-functions/stack.ts'
import { TaskTokenExample } from './task-token/stack.ts'

export interface ExamplesProps extends SluiceProps {
  readonly outDir: string
}

export function createExamplesApp({ outDir, ...props }: ExamplesProps): App {
  const context = { ...CURRENTLY_RECOMMENDED_FLAGS, 'aws:cdk:enable-path-metadata': true }
  const app = new App({ outdir: outDir, context, analyticsReporting: false })
  const sluice = new Sluice(app, 'Treasury', props)
  new LambdaExample(app, 'LambdaExample', { sluice })
  new HttpExample(app, 'HttpExample', { sluice })
  new QueueExample(app, 'QueueExample', { sluice })
  new EventRuleExample(app, 'EventRuleExample', { sluice })
  new StepFunctionsExample(app, 'StepFunctionsExample', { sluice })
  new TaskTokenExample(app, 'TaskTokenExample', { sluice })
  new BucketExample(app, 'BucketExample', { sluice })
  new PayoutFileExample(app, 'PayoutFileExample', { sluice })
  return app
}
