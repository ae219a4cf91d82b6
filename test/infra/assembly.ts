// Builds the app for tests, with an empty bundle: what is deployed does not depend on what is in it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { onTestFinished } from 'vitest'
import type { Treasury } from '../../functions/contract/treasury.ts'
import { createApp } from '../../infra/app.ts'
import { parseTreasury } from '../../infra/config.ts'

// CDK's validation of templates takes most of the time of a synthesis. `npm run synth` has it on, and so has
// the test of that command (synth.test.ts); cdk-nag's rules are checked either way.
process.env.CDK_VALIDATION ??= 'false'

export const treasury: Treasury = parseTreasury('{"service":{"url":"https://service.example","stage":"test"}}')

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-infra-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function buildApp(folder: string, changes: Partial<Treasury> = {}): App {
  const bundleDir = join(folder, 'bundle')
  mkdirSync(bundleDir)
  writeFileSync(join(bundleDir, 'index.js'), '')
  return createApp({ treasury: { ...treasury, ...changes }, bundleDir, outDir: join(folder, 'cdk.out') })
}

export function stackOf(app: App, id: string): Stack {
  return app.node.findChild(id) as Stack
}

/** Templates of all stacks, with everything that treasury.json may leave out at its default. */
export function synthesizeTemplates(changes: Partial<Treasury> = {}): Templates {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-infra-'))
  try {
    const app = buildApp(folder, changes)
    return {
      state: Template.fromStack(stackOf(app, 'SluiceState')),
      workflow: Template.fromStack(stackOf(app, 'SluiceWorkflow')),
      monitoring: Template.fromStack(stackOf(app, 'SluiceMonitoring')),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface Templates {
  readonly state: Template
  readonly workflow: Template
  readonly monitoring: Template
}
