// Tests `sluice keys protect` against an AWS whose answers the test sets, and which keeps the requests.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReadBy, secretPolicy } from '../../../core/contract/secret-policy.ts'
import { settingsOfAws } from '../../helpers/aws-settings.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { type LocalServer, startLocalServer } from '../../helpers/local-server.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

const TREASURY = {
  environment: 'live',
  service: { url: 'https://service.example', stage: 'test', keys: { transfer: { secret: 'transfer-key' } } },
  notices: [{ name: 'chat', to: { webhook: { secret: 'chat-address' } }, about: ['halted'] }],
}
const PLACE = { partition: 'aws', account: '123456789012', environment: 'live', rolePath: undefined }

let server: LocalServer
let caller: string
/** Reported ARN of the secrets' KMS key; undefined: a key of AWS. */
let underKey: string | undefined
let absent: readonly string[]
beforeEach(async () => {
  caller = 'assumed-role/live-sluice-keys/ada'
  absent = []
  underKey = undefined
  server = await startLocalServer((request, response) => {
    const body = request.body.toString()
    if (body.includes('Action=GetCallerIdentity')) {
      response.end(
        `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:sts::123456789012:${caller}</Arn><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
      )
      return
    }
    const isAbsent = absent.some((name) => body.includes(name))
    response.writeHead(isAbsent ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' })
    const told = isAbsent ? { __type: 'ResourceNotFoundException', message: body } : { KmsKeyId: underKey }
    response.end(JSON.stringify(told))
  })
  settingsOfAws(server.baseUrl)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

function protect(changes: object = {}) {
  const config = path.join(temporaryFolder(), 'treasury.json')
  writeFileSync(config, JSON.stringify({ ...TREASURY, ...changes }))
  return runInProcess(['keys', 'protect', '--config', config])
}

const puts = () =>
  server.arrived
    .filter(({ headers }) => headers['x-amz-target'] === 'secretsmanager.PutResourcePolicy')
    .map(({ body }) => JSON.parse(body.toString()))

test('every secret in treasury.json gets the policy of the functions that read it', async () => {
  const { exitCode, stdout } = await protect()
  expect(exitCode).toBe(0)
  const of = Object.fromEntries(puts().map(({ SecretId, ResourcePolicy }) => [SecretId, JSON.parse(ResourcePolicy)]))
  expect(of).toEqual({
    'live-sluice/service-key': secretPolicy(ReadBy.Workflow, PLACE),
    'transfer-key': secretPolicy(ReadBy.Workflow, PLACE),
    'chat-address': secretPolicy(ReadBy.Triggers, PLACE),
  })
  expect(stdout.trim().split('\n').sort()).toEqual(Object.keys(of).sort())
  for (const put of puts()) expect(put.BlockPublicPolicy).toBe(true)
})

test('with a path of roles the policy names the roles of that path', async () => {
  const rolePath = '/company/'
  expect((await protect({ aws: { account: '123456789012', region: 'eu-west-1', rolePath } })).exitCode).toBe(0)
  const policies = puts().map(({ ResourcePolicy }) => JSON.parse(ResourcePolicy))
  expect(policies).toContainEqual(secretPolicy(ReadBy.Workflow, { ...PLACE, rolePath }))
  expect(JSON.stringify(policies)).toContain('arn:aws:iam::123456789012:role/company/live-sluice-keys')
})

test.each([
  ['an administrator', 'assumed-role/administrator/ada'],
  ['the role of another environment', 'assumed-role/sluice-keys/ada'],
  ['a session that is only called so', 'assumed-role/administrator/live-sluice-keys'],
])('%s is not locked out: nothing is put', async (_who, arn) => {
  caller = arn
  const { exitCode, stderr } = await protect()
  expect(exitCode).toBe(2)
  expect(stderr).toContain('expected a session of the role live-sluice-keys or live-sluice-break-glass')
  expect(puts()).toEqual([])
})

test('break-glass may put the policies as well', async () => {
  caller = 'assumed-role/live-sluice-break-glass/ada'
  expect((await protect()).exitCode).toBe(0)
})

test('a missing secret is reported by its name', async () => {
  absent = ['transfer-key']
  const { exitCode, stderr } = await protect()
  expect(exitCode).toBe(1)
  expect(stderr).toContain('transfer-key: this secret does not exist yet')
})

const OWN_KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const updates = () =>
  server.arrived
    .filter(({ headers }) => headers['x-amz-target'] === 'secretsmanager.UpdateSecret')
    .map(({ body }) => JSON.parse(body.toString()))

test('every secret is encrypted with the KMS key of treasury.json', async () => {
  expect((await protect({ encryption: { secrets: OWN_KEY } })).exitCode).toBe(0)
  expect(
    updates()
      .map(({ KmsKeyId, SecretId }) => [SecretId, KmsKeyId])
      .sort(),
  ).toEqual(['chat-address', 'live-sluice/service-key', 'transfer-key'].map((name) => [name, OWN_KEY]))
  // The update contains no value.
  for (const update of updates()) expect(update).not.toHaveProperty('SecretString')
})

test('a secret that has the key already is left alone, and so is every secret if the file names no key', async () => {
  underKey = OWN_KEY
  expect((await protect({ encryption: { secrets: OWN_KEY } })).exitCode).toBe(0)
  underKey = OWN_KEY.replace('1234abcd', '5678abcd')
  expect((await protect()).exitCode).toBe(0)
  expect(updates()).toEqual([])
})
