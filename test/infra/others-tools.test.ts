// Checks the deployment with tools of others: each definition with asl-validator, and each template with AWS's
// CloudFormation Validate. The latter comes with the CDK, and knows the schemas of the resources and the rules of
// cfn-lint.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadParts } from '@sluice/embedded-aws'
import type { Stack } from 'aws-cdk-lib'
import { CfnQueue } from 'aws-cdk-lib/aws-sqs'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { StateMachine } from '../../core/contract/states.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { findingsOf } from '../../packages/embedded-aws/test/unit/asl-validator.ts'
import { buildApp, scheduledPolicies, temporaryFolder, treasury, webhooks } from './assembly.ts'

const { planDeployment, readAssembly } = await loadParts()

beforeAll(() => void vi.stubEnv('CDK_VALIDATION', 'true'))
afterAll(() => void vi.unstubAllEnvs())

interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string
    readonly violations: readonly {
      readonly ruleName: string
      readonly violatingConstructs: readonly { readonly constructPath: string }[]
    }[]
  }[]
}

const kmsKey = (id: number, region = 'eu-west-1') =>
  `arn:aws:kms:${region}:123456789012:key/1234abcd-12ab-34cd-56ef-12345678900${id}`

const machines = planDeployment(readAssembly(inject('assemblyDir')), {}).stateMachines

test('every machine is checked', () => {
  expect(machines.map(({ name }) => name).sort()).toEqual(Object.values(StateMachine).sort())
})

test.each(machines)('asl-validator has nothing to say against $name', ({ definitionText }) => {
  expect(findingsOf(JSON.parse(definitionText))).toEqual([])
})

test('asl-validator finds the fault of a machine', () => {
  const definition = JSON.parse(machines.find(({ name }) => name === StateMachine.Convert)?.definitionText ?? '')
  const wrong = { ...definition, StartAt: 'Nowhere', States: { ...definition.States, Lost: { Type: 'Succeed' } } }
  expect(findingsOf(wrong)).not.toEqual([])
})

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:company'
const GIVEN: Partial<Treasury> = {
  aws: {
    ...{ account: '123456789012', region: 'eu-west-1', tags: { 'cost-center': '4711' } },
    ...{ permissionsBoundary: 'boundary', rolePath: '/company/', logRetentionDays: 3653 },
    ...{ eventBus: 'company-events', journalTable: 'company-records' },
  },
  alarms: { topics: { page: TOPIC, ticket: TOPIC } },
  notices: [{ name: 'desk', to: { topicArn: TOPIC }, about: ['halted'] }],
}

// The minimum is the repository's treasury.json, on which `npm run check` runs `npm run synth`. The same synthesis
// checks cdk-nag's rules.
test.each([
  ['which makes all of its resources', {}],
  ['to which the account gives a bus, topics, a table and bounds', GIVEN],
])('CloudFormation Validate and cdk-nag accept the largest deployment, %s, and find faults in it', (_name, asked) => {
  const keys = {
    read: { secret: 'sluice/read-key' },
    trade: { secret: 'sluice/trade-key', kmsKey: 'alias/sluice-trade' },
    transfer: { secret: 'sluice/transfer-key' },
  }
  const all = {
    policies: scheduledPolicies,
    webhooks,
    requesters: ['222222222222'],
    environment: 'an-environment-x',
    encryption: { secrets: kmsKey(1), journal: kmsKey(2), copies: kmsKey(3, 'eu-central-1'), logs: kmsKey(4) },
    journal: { copyRegion: 'eu-central-1' },
    ...asked,
    service: { ...treasury.service, keys },
  }
  const folder = temporaryFolder()
  const app = buildApp(folder, all, true)
  // A deliberate fault shows that the tools check: a queue that breaks every rule, with an unknown property.
  const triggers = app.node.children.find(({ node }) => node.id.endsWith('SluiceTriggers')) as Stack
  const queue = new CfnQueue(triggers, 'Wrong', { kmsMasterKeyId: 'alias/aws/sqs' })
  queue.addPropertyOverride('VisibilityTimout', 3)
  expect(() => app.synth()).toThrow('validation-report.json')
  const { pluginReports }: Report = JSON.parse(readFileSync(join(folder, 'cdk.out', 'validation-report.json'), 'utf8'))
  const found = pluginReports.flatMap(({ pluginName, violations }) =>
    violations.map(({ ruleName, violatingConstructs }) =>
      [pluginName, ruleName, ...violatingConstructs.map(({ constructPath }) => constructPath)].join(' '),
    ),
  )
  expect(found.sort()).toEqual([
    'AwsSolutions AwsSolutions-SQS3 an-environment-x-SluiceTriggers/Wrong',
    'AwsSolutions AwsSolutions-SQS4 an-environment-x-SluiceTriggers/Wrong',
    'CloudFormation Validate F3002 an-environment-x-SluiceTriggers/Wrong',
  ])
})
