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
import { findingsOf } from '../../packages/embedded-aws/test/unit/asl-validator.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { buildApp } from './assembly.ts'
import { largestFile, largestTreasury, RECEIVERS } from './largest-treasury.ts'

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

// The minimum is the repository's treasury.json, on which `npm run check` runs `npm run synth`. The same synthesis
// checks cdk-nag's rules.
test.each(RECEIVERS)(
  'CloudFormation Validate and cdk-nag accept the largest deployment, whose notices go by %s, and find faults in it',
  (receiver) => {
    const folder = temporaryFolder()
    const app = buildApp(folder, largestTreasury(receiver), true)
    // A deliberate fault shows that the tools check: a queue that breaks every rule, with an unknown property.
    const triggers = app.node.children.find(({ node }) => node.id.endsWith('SluiceTriggers')) as Stack
    const queue = new CfnQueue(triggers, 'Wrong', { kmsMasterKeyId: 'alias/aws/sqs' })
    queue.addPropertyOverride('VisibilityTimout', 3)
    expect(() => app.synth()).toThrow('validation-report.json')
    const { pluginReports }: Report = JSON.parse(
      readFileSync(join(folder, 'cdk.out', 'validation-report.json'), 'utf8'),
    )
    const found = pluginReports.flatMap(({ pluginName, violations }) =>
      violations.map(({ ruleName, violatingConstructs }) =>
        [pluginName, ruleName, ...violatingConstructs.map(({ constructPath }) => constructPath)].join(' '),
      ),
    )
    const { environment } = largestFile(receiver)
    expect(found.sort()).toEqual([
      `AwsSolutions AwsSolutions-SQS3 ${environment}-SluiceTriggers/Wrong`,
      `AwsSolutions AwsSolutions-SQS4 ${environment}-SluiceTriggers/Wrong`,
      `CloudFormation Validate F3002 ${environment}-SluiceTriggers/Wrong`,
    ])
  },
)
