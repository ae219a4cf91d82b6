// Owns the stacks and what each receives. Only builds the app: synth.ts reads, bundles and writes.
import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { Treasury } from '../core/contract/treasury.ts'
import { nameIn, setEnvironment } from './constructs/deployed-name.ts'
import { setOwnKeys } from './constructs/own-keys.ts'
import { MonitoringStack } from './monitoring-stack.ts'
import { StateStack } from './state-stack.ts'
import { TriggerStack } from './trigger-stack.ts'
import { WorkflowStack } from './workflow-stack.ts'

export interface AppProps {
  readonly treasury: Treasury
  /** Folder with the bundle of bundle.ts, and the treasury file beside it. */
  readonly bundleDir: string
  readonly outDir: string
  /** True for a state directory. Each is a separate environment, so its names carry no prefix. Default false. */
  readonly isDesk?: boolean
  /**
   * Whether to check the templates by cdk-nag and fail when they break a rule. The check takes half of the time, so it
   * is omitted when nothing is deployed. Default: true, and false for a desk.
   */
  readonly isChecked?: boolean
}

/**
 * CDK context with the feature flags. They are here and not in cdk.json, so that `node infra/synth.ts` and `cdk deploy`
 * give one assembly.
 */
const CONTEXT = {
  '@aws-cdk/core:enablePartitionLiterals': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:target-partitions': ['aws', 'aws-cn', 'aws-us-gov'],
  // Findings of CDK's own check of the templates are errors, because nobody reads warnings.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-lambda:recognizeLayerVersion': true,
  // The embedded run and the tests look resources up by this path.
  'aws:cdk:enable-path-metadata': true,
  // The cdk command sets this too. It is repeated here, so that templates are the same whoever synthesizes.
  'aws:cdk:enable-asset-metadata': true,
  // Sends no report to AWS about the libraries used: that is not ours to send.
  'aws:cdk:disable-version-reporting': true,
}

/**
 * Creates the app with its four stacks, for any account and region. Checked by the AwsSolutions rules of cdk-nag,
 * unless `isChecked` is false.
 */
export function createApp(props: AppProps): App {
  const { treasury, bundleDir, outDir, isDesk = false, isChecked = !isDesk } = props
  const app = new App({ outdir: outDir, context: CONTEXT, analyticsReporting: false, stackTraces: false })
  setEnvironment(app, isDesk ? undefined : treasury.environment)
  setOwnKeys(app, treasury.encryption)
  if (isChecked) Validations.of(app).addPlugins(new AwsSolutionsChecks(app))

  const state = new StateStack(app, nameIn(app, 'SluiceState'), {
    description: 'Sluice: the journal. Outlives every deployment.',
    terminationProtection: true,
    treasury,
  })
  const workflow = new WorkflowStack(app, nameIn(app, 'SluiceWorkflow'), {
    description: 'Sluice: functions and state machines.',
    treasury,
    bundleDir,
  })
  const triggers = new TriggerStack(app, nameIn(app, 'SluiceTriggers'), {
    description: 'Sluice: what starts runs, and tells of their ends.',
    treasury,
    bundleDir,
    isDesk,
  })
  const monitoring = new MonitoringStack(app, nameIn(app, 'SluiceMonitoring'), {
    description: 'Sluice: alarms.',
    treasury,
  })
  // Stacks refer to each other by names that never change. They export no values, because an imported value can never
  // change.
  workflow.addStackDependency(state)
  triggers.addStackDependency(workflow)
  monitoring.addStackDependency(triggers)
  return app
}
