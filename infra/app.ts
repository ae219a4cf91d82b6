// Owns which stacks there are and what each is given. Builds the app only: synth.ts reads, bundles, writes.
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
  /** Where the cloud assembly goes. */
  readonly outDir: string
  /** A state directory is an environment by itself: there, names carry none. Default false. */
  readonly isDesk?: boolean
  /**
   * A synthesis fails where a template breaks a rule of cdk-nag. Half of its time goes into that, so it is left out where
   * nothing is deployed. Default: true, and false for a desk.
   */
  readonly isChecked?: boolean
}

/**
 * Feature flags stand here, not in cdk.json, so that `node infra/synth.ts` and `cdk deploy` give one assembly.
 */
const CONTEXT = {
  '@aws-cdk/core:enablePartitionLiterals': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:target-partitions': ['aws', 'aws-cn', 'aws-us-gov'],
  // What CDK's own check of the templates finds is an error, not a warning that nobody reads.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-lambda:recognizeLayerVersion': true,
  // Resources are looked up by this path, in the embedded run and in tests.
  'aws:cdk:enable-path-metadata': true,
  // What the cdk command sets; said here too, so that templates do not depend on who synthesizes.
  'aws:cdk:enable-asset-metadata': true,
  // Says which libraries were used, to AWS. Not ours to send.
  'aws:cdk:disable-version-reporting': true,
}

/** The app with its four stacks, for any account and region, under the AwsSolutions rules of cdk-nag where it is checked. */
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
  // Stacks know each other by names that never change, and by no value that one would have to export for another.
  workflow.addStackDependency(state)
  triggers.addStackDependency(workflow)
  monitoring.addStackDependency(triggers)
  return app
}
