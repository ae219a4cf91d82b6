// Tests which part of a configuration people see in the template: all of it, as long as CloudFormation accepts the
// template.
import { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { parseTreasury } from '../../core/treasury/config.ts'
import { createApp } from '../../infra/app.ts'
import { readDeployer } from '../../infra/pinned-place.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { stackOf, synthesizeTemplates, treasury } from './assembly.ts'

const SERVICE = { url: 'https://service.example', stage: 'test' }
const parse = (more: object) => parseTreasury(JSON.stringify({ service: SERVICE, ...more }))
/** CloudFormation accepts at most 1 MB, indented as the CDK writes it. */
const MOST_CHARACTERS = 1_000_000

test('policies and guards are in the metadata', () => {
  const { guards, policies } = parse({ guards: { worstSlippageBps: 40 } })
  const { Metadata } = synthesizeTemplates({ guards, policies }).workflow.toJSON()
  expect(Metadata.Sluice).toMatchObject({ guards: { worstSlippageBps: 40 }, policies: {} })
})

test('policies and guards that would make the template too large are left out, and their hash stays', () => {
  const assets = (of: number) => Array.from({ length: 600 }, (_, index) => `A${of}X${index}`)
  const sweep = (of: number) => ({
    kind: 'sweep',
    mode: 'shadow',
    rules: [{ contactId: `c${of}`, assets: assets(of) }],
  })
  const { policies } = parse({
    policies: Object.fromEntries(Array.from({ length: 100 }, (_, of) => [`p${of}`, sweep(of)])),
  })
  const { workflow } = synthesizeTemplates({ policies })
  expect(JSON.stringify(workflow.toJSON(), undefined, 1).length).toBeLessThan(MOST_CHARACTERS)
  expect(workflow.toJSON().Metadata.Sluice).toEqual({
    release: expect.any(String),
    configuration: expect.stringMatching(/^[0-9a-f]{64}$/),
    leftOut: 'guards, policies and waives are too large for a template: sluice setup diff --aws asks the deployment',
  })
})

/** Variables of the one function that records the configuration. */
function variablesOfReconcile(template: Template): Readonly<Record<string, unknown>> {
  const [reconcile] = Object.values(
    template.findResources('AWS::Lambda::Function', { Properties: { FunctionName: 'sluice-reconcile' } }),
  )
  return reconcile?.Properties.Environment.Variables
}

test('the function that records the configuration knows its stack, and who claims to deploy which commit', () => {
  const commit = 'c'.repeat(40)
  const deployer = readDeployer({ SLUICE_DEPLOYED_BY: 'arn:aws:iam::1:user/ada', SLUICE_DEPLOYED_COMMIT: commit })
  const app = createApp({
    treasury,
    bundleDir: temporaryFolder(),
    outDir: temporaryFolder(),
    deployer,
    isChecked: false,
  })
  const claimed = Template.fromStack(stackOf(app, 'SluiceWorkflow'))
  expect(variablesOfReconcile(claimed)).toMatchObject({
    SLUICE_STACK: { Ref: 'AWS::StackId' },
    SLUICE_DEPLOYED_BY: 'arn:aws:iam::1:user/ada',
    SLUICE_DEPLOYED_COMMIT: commit,
  })
  const unclaimed = variablesOfReconcile(synthesizeTemplates().workflow)
  expect(Object.keys(unclaimed)).not.toEqual(expect.arrayContaining(['SLUICE_DEPLOYED_BY']))
  expect(unclaimed).toMatchObject({ SLUICE_STACK: { Ref: 'AWS::StackId' } })
})

test.each([
  { SLUICE_DEPLOYED_BY: 'ada and bob' },
  { SLUICE_DEPLOYED_BY: 'a'.repeat(301) },
  { SLUICE_DEPLOYED_COMMIT: 'main' },
])('the claim %j is refused with the name of its variable', (variables) => {
  expect(() => readDeployer(variables)).toThrow(new RegExp(`^${Object.keys(variables)[0]}: expected`))
})
