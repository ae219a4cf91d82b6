// Owns the app of this repository: one deployment, and the checks of its templates.
import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { Treasury } from '../core/contract/treasury.ts'
import { declareStacks } from './declare-stacks.ts'
import type { Deployer } from './workflow-stack.ts'

export interface AppProps {
  readonly treasury: Treasury
  /** Folder with the bundle of bundle.ts. */
  readonly bundleDir: string
  readonly outDir: string
  /** Default: nobody claims to deploy it. */
  readonly deployer?: Deployer
  /** True for a state directory. Each is a separate environment, so its names carry no prefix. Default false. */
  readonly isDesk?: boolean
  /**
   * Whether to check the templates by cdk-nag and fail when they break a rule. The check takes half of the time, so it
   * is omitted when nothing is deployed. Default: true, and false for a desk.
   */
  readonly isChecked?: boolean
}

/** Context of the app. The flags for the templates are in sluice-stack.ts. */
const CONTEXT = {
  // Findings of CDK's own check of the templates are errors, because nobody reads warnings.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  // Sends no report to AWS about the libraries used: that is not ours to send.
  'aws:cdk:disable-version-reporting': true,
}

/**
 * Creates the app with its four stacks, for any account and region. Checked by the AwsSolutions rules of cdk-nag,
 * unless `isChecked` is false.
 */
export function createApp(props: AppProps): App {
  const { treasury, bundleDir, deployer, outDir, isDesk = false, isChecked = !isDesk } = props
  const app = new App({ outdir: outDir, context: CONTEXT, analyticsReporting: false, stackTraces: false })
  if (isChecked) Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  declareStacks(app, { treasury, bundleDir, isDesk, deployer, env: {}, network: undefined, alarmTopics: undefined })
  return app
}
