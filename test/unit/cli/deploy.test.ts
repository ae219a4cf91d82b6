// Arguments of `sluice deploy` are understood fully, or nothing is deployed. Its end names the next steps.
import { expect, test } from 'vitest'
import { deployCommandOf, readDeployArguments } from '../../../cli/deploy/arguments.ts'
import { nextAfterDeploy, nextAfterFailedDeploy } from '../../../cli/deploy/deploy.ts'

test.each([
  [[], {}],
  [['--parameters', 'SluiceWorkflow:ServiceUrl=https://a.example'], {}],
  [['--profile', 'live', '--region=eu-west-1'], { variables: { AWS_PROFILE: 'live', AWS_REGION: 'eu-west-1' } }],
  [['-o', 'there'], { outDir: 'there' }],
  [['--outputs-file', 'outputs.json'], {}],
])('%j go to the CDK', (ofCdk, read) => {
  expect(readDeployArguments(ofCdk, {})).toEqual({ ofCdk, outDir: 'cdk.out', variables: {}, ...read })
})

test.each([[['live.json']], [['-c', 'live.json']]])(
  '%j name a file that would not be the deployed one, and deploy nothing',
  (ofCdk) => {
    expect(() => readDeployArguments(ofCdk, {})).toThrow('live.json: expected --config before it')
  },
)

test('--first alone deploys nothing, because a person is asked', () => {
  expect(() => readDeployArguments([], { first: true })).toThrow('--first: expected --yes beside it')
  expect(readDeployArguments([], { first: true, yes: true }).ofCdk).toEqual([])
})

test('a journal left by a removed deployment is taken over', () => {
  expect(deployCommandOf({ ofCdk: ['--profile', 'live'] })).toEqual([
    ...['deploy', '--all', '--no-previous-parameters', '--import-existing-resources'],
    ...['--profile', 'live'],
  ])
})

test('after a failed first creation a hint says how to make room, because the CDK cannot delete a protected stack', () => {
  const lines = nextAfterFailedDeploy([], undefined).join('\n')
  expect(lines).toMatch(/^next: {2}what would prevent it: npx sluice setup doctor --aws --before-deploy/)
  expect(lines).toContain('aws cloudformation update-termination-protection --no-enable-termination-protection')
  expect(lines).toContain('--stack-name SluiceState')
})

test('a finished deployment names the next step, for the same file', () => {
  expect(nextAfterDeploy(undefined)).toMatch(/^next: {2}npx sluice setup doctor --aws --after-deploy {3}#/)
  expect(nextAfterDeploy('live.json')).toContain('--after-deploy --config live.json')
})
