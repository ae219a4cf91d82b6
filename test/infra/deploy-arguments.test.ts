// Arguments of `npm run deploy` are understood fully, or nothing is deployed.
import { expect, test } from 'vitest'
import { deployCommandOf, readDeployArguments } from '../../infra/deploy/arguments.ts'

test.each([
  [[], { configFile: undefined, isAsked: true, isFirst: false, ofCdk: [], variables: {} }],
  [
    ['--config', 'my live.json', '--yes'],
    { configFile: 'my live.json', isAsked: false, isFirst: false, ofCdk: [], variables: {} },
  ],
  [['--yes', '--first'], { configFile: undefined, isAsked: false, isFirst: true, ofCdk: [], variables: {} }],
  [
    ['--parameters', 'SluiceWorkflow:ServiceUrl=https://a.example', '--config=b.json'],
    {
      ...{ configFile: 'b.json', isAsked: true, isFirst: false, variables: {} },
      ofCdk: ['--parameters', 'SluiceWorkflow:ServiceUrl=https://a.example'],
    },
  ],
  [
    ['--profile', 'live', '--region=eu-west-1'],
    {
      ...{ configFile: undefined, isAsked: true, isFirst: false, ofCdk: ['--profile', 'live', '--region=eu-west-1'] },
      variables: { AWS_PROFILE: 'live', AWS_REGION: 'eu-west-1' },
    },
  ],
  [
    ['-o', 'there'],
    {
      ...{ configFile: undefined, isAsked: true, isFirst: false, variables: {} },
      ofCdk: ['-o', 'there'],
      outDir: 'there',
    },
  ],
])('%j are read as %j', (args, read) => {
  expect(readDeployArguments(args)).toEqual({ outDir: 'cdk.out', ...read })
})

test.each([[['--config']], [['--config=']], [['--help']], [['--yes', '-h']]])(
  '%j deploy nothing and show the usage',
  (args) => {
    expect(readDeployArguments(args)).toContain('Example: npm run deploy')
  },
)

test.each([
  ['config', { npm_config_config: 'live.json' }],
  ['profile', { npm_config_profile: 'true' }],
  ['region', { npm_config_region: 'eu-west-1' }],
])("--%s before the -- is npm's own, and deploys nothing", (option, variables) => {
  expect(readDeployArguments([], variables)).toMatch(
    new RegExp(`^error: npm took --${option} for itself.*npm run deploy -- --${option}`),
  )
  expect(readDeployArguments(['--yes'], { npm_config_yes: '', npm_config_cache: '/tmp' })).toMatchObject({ ofCdk: [] })
})

test.each([[['live.json']], [['-c', 'live.json']], [['--yes', 'live.json']]])(
  '%j name a file that would not be the deployed one, and deploy nothing',
  (args) => {
    expect(readDeployArguments(args)).toMatch(/^error: live\.json: expected --config before it/)
  },
)

test('--first alone deploys nothing, because a person is asked', () => {
  expect(readDeployArguments(['--first'])).toMatch(/^error: --first: expected --yes beside it/)
})

test('a journal left by a removed deployment is taken over', () => {
  expect(deployCommandOf({ ofCdk: ['--profile', 'live'] })).toEqual([
    ...['deploy', '--all', '--no-previous-parameters', '--import-existing-resources'],
    ...['--profile', 'live'],
  ])
})
