// Tests commands for AWS in a shell without a region, without credentials, and with an expired sign-in. A socket answers
// as AWS does with an expired token. Each command says so in one line, with the way out in the next.
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Answers, toldAws } from './reported-aws.ts'

const tell = toldAws()

const EXPIRED: Answers = {
  'Action=': {
    status: 403,
    body: '<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredToken</Code><Message>The security token included in the request is expired</Message></Error></ErrorResponse>',
  },
  '': { status: 403, body: { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'is expired' } },
}

const SHELLS: Readonly<Record<string, readonly [names: readonly string[], why: RegExp, next: RegExp]>> = {
  'no region': [['AWS_REGION'], /^error: no AWS region is set\b.*$/m, /^next: {2}.*AWS_REGION/m],
  'no credentials': [
    ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    /^error: no AWS credentials were found\b.*$/m,
    /^next: {2}.*AWS_PROFILE/m,
  ],
  'an expired sign-in': [[], /^error: .*expired.*$/im, /^next: {2}sign in to AWS again/m],
}

const COMMANDS = [
  'halt --aws --because test',
  'resume --aws --because test',
  'setup doctor --aws --after-deploy',
  'setup doctor --aws',
  'setup diff --aws',
  'runs list --aws',
  'movements list --aws',
  'cases list --aws',
  'policies --aws',
  'journal verify --aws',
  'journal audit --aws',
  'events dead-letters list --aws',
  'logs an-intent --aws',
  'keys status --role read',
] as const

function signOut(names: readonly string[]): void {
  // The SDK looks for a profile in the home folder, and asks an instance for its role.
  vi.stubEnv('HOME', path.join(import.meta.dirname, 'nowhere'))
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  for (const name of ['AWS_PROFILE', 'AWS_DEFAULT_REGION', ...names]) vi.stubEnv(name, undefined)
}

test.each(Object.entries(SHELLS))(
  'with %s each command names it and the way out',
  async (_what, [names, why, next]) => {
    tell(EXPIRED)
    signOut(names)
    for (const command of COMMANDS) {
      const { exitCode, stderr, stdout } = await runInProcess(command.split(' '))
      const errors = stderr.split('\n').filter((line) => line.startsWith('error'))
      expect({ command, errors, stderr }).toEqual({
        command,
        errors: [expect.stringMatching(why)],
        stderr: expect.stringMatching(next),
      })
      expect({ command, stdout, exitCode }).toEqual({ command, stdout: '', exitCode: expect.toSatisfy(isFailure) })
    }
  },
)

test('a profile that gives no credentials is named, with the way to see why', async () => {
  signOut(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
  vi.stubEnv('AWS_PROFILE', 'no-such-profile')
  const { stderr } = await runInProcess(['halt', '--aws', '--because', 'test'])
  expect(stderr).toMatch(/^error: no AWS credentials were found by AWS_PROFILE=no-such-profile\b.*$/m)
  expect(stderr.replace(/\s+/g, ' ')).toContain('aws sts get-caller-identity --profile no-such-profile')
})

/** Commands about keys end with 2, as for any other setting that is missing. */
const isFailure = (exitCode: unknown) => exitCode === 1 || exitCode === 2

test.each(Object.entries(SHELLS))(
  'with %s the doctor stops before a deployment at the credentials',
  async (what, [names]) => {
    tell(EXPIRED)
    signOut(names)
    const { exitCode, stdout } = await runInProcess(['setup', 'doctor', '--aws', '--before-deploy', '--csv'])
    const failed = stdout.split('\r\n').filter((line) => line.includes('fail'))
    const why = { 'no region': /no AWS region is set/, 'no credentials': /no AWS credentials were found/ }[what]
    expect({ exitCode, failed }).toEqual({ exitCode: 1, failed: [expect.stringMatching(why ?? /has expired/)] })
  },
)
