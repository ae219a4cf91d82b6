// Builds the app for tests with an empty bundle, because the templates do not depend on its content.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { deployedName } from '../../core/contract/deployed-names.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { parseTreasury } from '../../core/treasury/config.ts'
import { createApp } from '../../infra/app.ts'

export const treasury: Treasury = parseTreasury('{"service":{"url":"https://service.example","stage":"test"}}')

/** Policies with each kind of schedule, and one that takes payout files from a place in S3. */
export const { policies: samplePolicies, webhooks } = parseTreasury(
  JSON.stringify({
    service: { url: 'https://service.example', stage: 'test' },
    webhooks: { signatureHeader: 'X-Signature' },
    policies: {
      hourly: {
        kind: 'rebalance',
        weights: { BTC: '0.5', USDC: '0.5' },
        schedule: { expression: 'rate(1 hour)', start: '2026-12-01T01:00:00+01:00', end: '2027-12-01T00:00:00Z' },
      },
      'each-morning': {
        kind: 'sweep',
        mode: 'shadow',
        rules: [{ assets: ['ETH'], contactId: 'contact-1' }],
        schedule: {
          expression: 'cron(0 9 ? * MON-FRI *)',
          timeZone: 'Europe/Madrid',
          retries: 1,
          maxEventAgeSeconds: 60,
        },
      },
      begun: {
        kind: 'fund',
        asset: 'ADA',
        atLeast: '1',
        from: [{ asset: 'GBP' }],
        schedule: { expression: 'rate(1 day)', start: '2026-10-31T23:00:00Z' },
      },
      over: {
        kind: 'fund',
        asset: 'DOT',
        atLeast: '1',
        from: [{ asset: 'GBP' }],
        schedule: { expression: 'rate(1 day)', end: '2026-11-01T00:00:00Z' },
      },
      salaries: {
        ...{ kind: 'payouts', assets: ['EUR'], approval: { above: '0' } },
        files: { bucket: 'company-payouts', prefix: 'salaries/' },
      },
      'on-request': { kind: 'fund', asset: 'SOL', atLeast: '1', from: [{ asset: 'EUR' }] },
    },
  }),
) as Treasury & Required<Pick<Treasury, 'webhooks'>>

/** `isChecked`: under the rules of cdk-nag, like a deployed app. */
export function buildApp(folder: string, changes: Partial<Treasury> = {}, isChecked = false): App {
  const bundleDir = join(folder, 'bundle')
  mkdirSync(bundleDir)
  writeFileSync(join(bundleDir, 'movements.js'), '')
  const parsed = parseTreasury(JSON.stringify({ ...treasury, ...changes }))
  return createApp({ treasury: parsed, bundleDir, outDir: join(folder, 'cdk.out'), isChecked })
}

export function stackOf(app: App, id: string): Stack {
  return app.node.findChild(id) as Stack
}

/** Template texts that this process has synthesized, by their changes. */
const synthesized = new Map<string, Readonly<Record<keyof Templates, string>>>()

/**
 * Templates of all stacks, with every default of treasury.json. Each call returns its own templates, so that a test may
 * change them. Equal changes are synthesized once for each process.
 */
export function synthesizeTemplates(changes: Partial<Treasury> = {}): Templates {
  const asked = JSON.stringify(changes)
  const texts = synthesized.get(asked) ?? textsOf(changes)
  synthesized.set(asked, texts)
  const { state, workflow, triggers, monitoring } = texts
  return {
    state: templateOf(state),
    workflow: templateOf(workflow),
    triggers: templateOf(triggers),
    monitoring: templateOf(monitoring),
  }
}

/** The text was searched for cycles when it was synthesized. */
const templateOf = (text: string) => Template.fromString(text, { skipCyclicalDependenciesCheck: true })

function textsOf(changes: Partial<Treasury>): Readonly<Record<keyof Templates, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-infra-'))
  try {
    const app = buildApp(folder, changes)
    const textOf = (stack: string) =>
      JSON.stringify(Template.fromStack(stackOf(app, deployedName(stack, changes.environment))).toJSON())
    return {
      state: textOf('SluiceState'),
      workflow: textOf('SluiceWorkflow'),
      triggers: textOf('SluiceTriggers'),
      monitoring: textOf('SluiceMonitoring'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface Templates {
  readonly state: Template
  readonly workflow: Template
  readonly triggers: Template
  readonly monitoring: Template
}
