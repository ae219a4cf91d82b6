// Tests `doctor --aws`: a deployment, through the AWS SDK's own settings, on the embedded AWS.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Check } from '../../../operations/doctor/check.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

const deployed = deployedAws('doctor on AWS')
let config: string
beforeAll(() => {
  config = configOf({})
})

function configOf(changes: object): string {
  const { service } = deployed()
  const file = path.join(service.dir, `treasury-${Object.keys(changes).join('-')}.json`)
  writeFileSync(file, JSON.stringify({ service: { url: service.sandbox.baseUrl, stage: 'test', ...changes } }))
  return file
}

async function examined(...argv: string[]) {
  const { exitCode, stdout } = await runInProcess(['setup', 'doctor', '--aws', '--json', ...argv])
  const checks = JSON.parse(stdout) as Check[]
  return { exitCode, checks, unwell: checks.filter(({ status }) => status !== 'ok').map(({ check }) => check) }
}

test('the service, the secrets and the table of treasury.json are checked', async () => {
  const { exitCode, checks, unwell } = await examined('--probe-signing', '--config', config)
  // The embedded AWS has no backups, alarms, schedules and policies of people, and the secret is not protected. The service of a test has an
  // address of its own, so its file differs from the deployed file.
  expect({ exitCode, unwell }).toEqual({
    exitCode: 0,
    unwell: [
      ...[
        'journal backups',
        'recovery points',
        'key of decisions',
        'policy of secret sluice/service-key',
        'people',
        'deployed file',
        'alarms',
        'schedules',
      ],
      ...['service account', 'account of the journal'],
    ],
  })
  const details = checks.map(({ detail }) => detail)
  expect(details).toContain('sluice-journal is ACTIVE')
  expect(details).toContainEqual(
    expect.stringMatching(/ in the secret sluice\/service-key: right shape and stage, signs with/),
  )
})

test('a missing secret is reported by its name', async () => {
  const { exitCode, checks } = await examined('--config', configOf({ keys: { trade: { secret: 'sluice/absent' } } }))
  expect(exitCode).toBe(1)
  expect(checks.find(({ check }) => check === 'key to trade')).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(/does not exist or has no value yet.*in the secret sluice\/absent/),
  })
})

test('an AWS that does not answer is reported, and the service is still checked', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9')
  const { exitCode, unwell } = await examined('--config', config)
  expect({ exitCode, unwell }).toEqual({
    exitCode: 1,
    unwell: [
      'halts',
      'journal table',
      'journal backups',
      'recovery points',
      'journal policy',
      'key of decisions',
      'policy of secret sluice/service-key',
      'people',
      'deployed file',
      'alarms',
      'schedules',
      'key to read',
      'key to trade',
      'key to transfer',
      'service account',
      'account of the journal',
    ],
  })
})

test('a service beside it is a mistake', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(['setup', 'doctor', '--aws', ...deployed().service.flags()])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('error: --aws: expected no service beside it')
})
