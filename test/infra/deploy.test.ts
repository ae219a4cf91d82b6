// `npm run deploy` where it cannot: the last lines say what to do next. Nothing here reaches AWS.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { nextAfterDeploy, nextAfterFailedDeploy } from '../../infra/deploy-advice.ts'

test('without credentials and a region both are named, with how to get them', () => {
  const lines = nextAfterFailedDeploy({}, false).join('\n')
  expect(lines).toMatch(/^error: no credentials of AWS were found.*\nerror: no region was found/)
  for (const word of ['aws configure', 'AWS_PROFILE', 'AWS_REGION', 'npx cdk bootstrap', 'npm run deploy']) {
    expect(lines).toContain(word)
  }
})

test.each([
  ['a profile', { AWS_PROFILE: 'desk', AWS_REGION: 'eu-west-1' }, false],
  ['keys', { AWS_ACCESS_KEY_ID: 'A', AWS_DEFAULT_REGION: 'eu-west-1' }, false],
  ['files', {}, true],
])('with %s nothing is said to be missing', (_what, variables, hasFiles) => {
  expect(nextAfterFailedDeploy(variables, hasFiles)[0]).toMatch(/^next: /)
})

test('how a first creation that failed makes room for the next is said: the CDK cannot delete a protected stack', () => {
  const lines = nextAfterFailedDeploy({ AWS_PROFILE: 'desk', AWS_REGION: 'eu-west-1' }, false).join('\n')
  expect(lines).toContain('aws cloudformation update-termination-protection --no-enable-termination-protection')
  expect(lines).toContain('--stack-name SluiceState')
})

test('a deployment that fails keeps its exit code and ends with what to do next', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  // The app ends at once, so that nothing is synthesized.
  const { status, stderr } = spawnSync(process.execPath, ['infra/deploy.ts', '--yes', '--app', 'exit 3'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nonexistent', CDK_DISABLE_VERSION_CHECK: '1' },
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/error: no credentials of AWS were found[\s\S]*then: npm run deploy\n$/)
}, 120_000)

test('a deployment that was made names what comes next, for the same file', () => {
  expect(nextAfterDeploy(undefined)).toMatch(/^next: {2}npm run verify:deployed {3}#/)
  expect(nextAfterDeploy('live.json')).toContain('npm run verify:deployed -- --config live.json')
})
