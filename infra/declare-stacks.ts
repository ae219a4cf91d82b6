// Owns the four stacks of a deployment, what each receives, and the order of their deployment. Also puts treasury.json
// beside the functions' code. The construct `Sluice` and the
// app of this repository call it.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { writeTreasuryFile } from '../core/treasury/config.ts'
import { MonitoringStack, type MonitoringStackProps } from './monitoring-stack.ts'
import { PACKAGE_ROOT } from './package-root.cjs'
import { StateStack } from './state-stack.ts'
import { TriggerStack } from './trigger-stack.ts'
import { type Deployer, WorkflowStack } from './workflow-stack.ts'

/** The bundled functions of the published package. The repository has none: it bundles its source. */
const PACKED_BUNDLES = join(PACKAGE_ROOT, 'bundles')

export interface Stacks {
  /** The journal. It outlives every deployment. */
  readonly state: Stack
  /** The functions and the state machines. */
  readonly workflow: Stack
  /** The bus, the schedules, and people's functions. */
  readonly triggers: Stack
  /** The alarms. */
  readonly monitoring: Stack
}

export interface DeploymentProps extends Pick<MonitoringStackProps, 'treasury' | 'isDesk' | 'network' | 'alarmTopics'> {
  readonly env: Environment
  readonly bundleDir?: string | undefined
  readonly deployer?: Deployer | undefined
}

export function declareStacks(
  scope: Construct,
  { alarmTopics, bundleDir = PACKED_BUNDLES, deployer, ...common }: DeploymentProps,
): Stacks {
  if (!existsSync(bundleDir))
    throw new Error(`bundleDir: expected the folder of the bundled functions; no ${bundleDir}`)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-code-'))
  try {
    // The configuration goes beside a copy, because other configurations use the same bundles.
    cpSync(bundleDir, folder, { recursive: true })
    writeTreasuryFile(folder, common.treasury)
    const state = new StateStack(scope, common)
    const workflow = new WorkflowStack(scope, { ...common, bundleDir: folder, deployer })
    const triggers = new TriggerStack(scope, { ...common, bundleDir: folder })
    const monitoring = new MonitoringStack(scope, { ...common, alarmTopics })
    workflow.addStackDependency(state)
    triggers.addStackDependency(workflow)
    monitoring.addStackDependency(triggers)
    return { state, workflow, triggers, monitoring }
  } finally {
    // The CDK has copied the code into the assembly.
    rmSync(folder, { recursive: true, force: true })
  }
}
