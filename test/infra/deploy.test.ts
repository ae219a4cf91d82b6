// Tests `npm run deploy` where it fails: the last lines say what to do next. Nothing here reaches AWS.
import { expect, test } from 'vitest'
import { nextAfterDeploy, nextAfterFailedDeploy } from '../../infra/deploy/advice.ts'

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
])('with %s nothing is reported as missing', (_what, variables, hasFiles) => {
  expect(nextAfterFailedDeploy(variables, hasFiles)[0]).toMatch(/^next: /)
})

test('after a failed first creation a hint says how to make room, because the CDK cannot delete a protected stack', () => {
  const lines = nextAfterFailedDeploy({ AWS_PROFILE: 'desk', AWS_REGION: 'eu-west-1' }, false).join('\n')
  expect(lines).toContain('aws cloudformation update-termination-protection --no-enable-termination-protection')
  expect(lines).toContain('--stack-name SluiceState')
})

test('a finished deployment names the next steps, for the same file', () => {
  expect(nextAfterDeploy(undefined)).toMatch(/^next: {2}npm run verify:deployed {3}#/)
  expect(nextAfterDeploy('live.json')).toContain('npm run verify:deployed -- --config live.json')
})
