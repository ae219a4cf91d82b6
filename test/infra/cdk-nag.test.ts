// The rules of cdk-nag stop a synthesis, and a list names the suppressed ones. Every deployable synthesis checks that
// the app keeps the rules: `npm run synth` with the repository's configuration, and others-tools.long.test.ts with all
// options.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { expect, test } from 'vitest'
import type { Treasury } from '../../core/contract/treasury.ts'
import { rulesSetAside } from '../../infra/synthesize.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { buildApp, samplePolicies, stackOf, webhooks } from './assembly.ts'

interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string
    readonly violations: readonly { readonly ruleName: string }[]
  }[]
}

/** The rules that made CDK refuse the synthesis. */
function rulesBroken(folder: string, synth: () => void): string[] {
  expect(synth).toThrow('validation-report.json')
  const report: Report = JSON.parse(readFileSync(join(folder, 'cdk.out', 'validation-report.json'), 'utf8'))
  return report.pluginReports.flatMap(({ violations }) => violations.map((violation) => violation.ruleName))
}

test('a resource that breaks a rule stops the synthesis', () => {
  const folder = temporaryFolder()
  const app = buildApp(folder, {}, true)
  const role = new Role(stackOf(app, 'SluiceWorkflow'), 'TooMuch', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  })
  role.addToPolicy(new PolicyStatement({ effect: Effect.ALLOW, actions: ['dynamodb:*'], resources: ['*'] }))
  expect(rulesBroken(folder, () => app.synth()).sort()).toEqual([
    'AwsSolutions-IAM5[Action::dynamodb:*]',
    'AwsSolutions-IAM5[Resource::*]',
  ])
})

const executionsOf = (place: string, child: string) =>
  `${place}: AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:sluice-${child}:*]`

/** A role of a state machine is in the machine's own folder of the construct tree. */
const ROLE_OF_A_FUNCTION =
  /^Sluice(Workflow|Triggers)\/(?!Convert\/)([A-Z][A-Za-z]+(?<!Machine)|(?:LookAgain|PayoutFiles)\/[A-Za-z]+|(?:People|Doubts)\/[A-Za-z]+)\/Role$/
/** IAM knows no aliases. key-access.test.ts and workflow-stack.test.ts have who uses a key by its alias. */
const BY_ALIAS = /:key\/\*\]$/
const VERSIONS_OF_A_FUNCTION = /\[Resource::<\w+Function[0-9A-F]{8}\.Arn>:\*\]$/

test('each suppressed rule has a reason, and only these are suppressed', () => {
  const { salaries } = samplePolicies
  const policies = { salaries, lists: { ...salaries, files: { bucket: 'company-lists' } } } as Treasury['policies']
  const setAside = rulesSetAside(buildApp(temporaryFolder(), { webhooks, policies }, true))
    // Every function writes traces. workflow-stack.test.ts and trigger-stack.test.ts cover the other permissions of its
    // role.
    .filter(({ path, rule }) => !(ROLE_OF_A_FUNCTION.test(path) && rule.endsWith('[Resource::*]')))
    .filter(({ path, rule }) => !(ROLE_OF_A_FUNCTION.test(`${path}/Role`) && BY_ALIAS.test(rule)))
    // Versions of the functions that a state machine's own role may invoke.
    .filter(({ path, rule }) => !(path.startsWith('SluiceWorkflow/') && VERSIONS_OF_A_FUNCTION.test(rule)))
  expect(setAside.map(({ path, rule }) => `${path}: ${rule.replace(/^annotation::/i, '')}`).sort()).toEqual([
    'SluiceState/Backups/Role: AwsSolutions-IAM5[Resource::<JournalAE8C44B2.Arn>/backup/*]',
    ...['convert', 'rebalance', 'sweep', 'withdraw'].map((machine) => executionsOf('SluiceTriggers/Announce', machine)),
    'SluiceTriggers/DeadLetters: AwsSolutions-SQS3',
    ...['company-lists/*', 'company-payouts/salaries/*'].map(
      (objects) =>
        `SluiceTriggers/PayoutFiles/StartOnFile: AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${objects}]`,
    ),
    executionsOf('SluiceTriggers/PayoutFiles/StartOnFile', 'sweep'),
    ...['rebalance', 'sweep'].map((machine) => executionsOf('SluiceTriggers/People/Decide', machine)),
    ...['rebalance', 'sweep'].map((machine) => executionsOf('SluiceTriggers/People/RequestRun', machine)),
    ...['Approver', 'BreakGlass', 'Declarer', 'Operator', 'Resolver', 'Resumer'].flatMap((policy) =>
      ['convert', 'rebalance', 'sweep', 'withdraw'].map((machine) =>
        executionsOf(`SluiceTriggers/Policies/${policy}`, machine),
      ),
    ),
    executionsOf('SluiceTriggers/StartOnDeposit', 'rebalance'),
    ...['convert', 'rebalance', 'sweep', 'withdraw'].map((machine) => executionsOf('SluiceTriggers/StartRun', machine)),
    'SluiceWorkflow/Convert/Role: AwsSolutions-IAM5[Resource::*]',
    ...['convert', 'rebalance', 'sweep', 'withdraw'].map((machine) =>
      executionsOf('SluiceWorkflow/LookAgain/LookAgain', machine),
    ),
    'SluiceWorkflow/RebalanceMachine/Role: AwsSolutions-IAM5[Resource::*]',
    executionsOf('SluiceWorkflow/RebalanceMachine/Role', 'convert'),
    'SluiceWorkflow/SweepMachine/Role: AwsSolutions-IAM5[Resource::*]',
    executionsOf('SluiceWorkflow/SweepMachine/Role', 'convert'),
    executionsOf('SluiceWorkflow/SweepMachine/Role', 'withdraw'),
    'SluiceWorkflow/WithdrawMachine/Role: AwsSolutions-IAM5[Resource::*]',
  ])
  for (const { why } of setAside) expect(why.length).toBeGreaterThan(40)
})
