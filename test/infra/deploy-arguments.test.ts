import { expect, test } from 'vitest'
import { readDeployArguments } from '../../infra/deploy-arguments.ts'

test.each([
  [[], { configFile: undefined, isAsked: true, ofCdk: [] }],
  [['--config', 'my live.json', '--yes'], { configFile: 'my live.json', isAsked: false, ofCdk: [] }],
  [
    ['--parameters', 'SluiceWorkflow:ServiceUrl=https://a.example', '--config=b.json'],
    { configFile: 'b.json', isAsked: true, ofCdk: ['--parameters', 'SluiceWorkflow:ServiceUrl=https://a.example'] },
  ],
])('%j are read as %j', (args, read) => {
  expect(readDeployArguments(args)).toEqual(read)
})

test.each([[['--config']], [['--config=']], [['--help']], [['--yes', '-h']]])(
  '%j deploy nothing and tell the usage',
  (args) => {
    expect(readDeployArguments(args)).toContain('Example: npm run deploy')
  },
)
