// Tests `notices set` and `notices test`, for a deployment in an environment and at a desk, and the doctor's findings
// about notices.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { noticeChecks } from '../../../operations/doctor/deployed/notices.ts'
import { clientOf } from '../../../packages/embedded-aws/test/integration/fixture/clients.ts'
import { type LocalServer, startLocalServer } from '../../helpers/local-server.ts'
import { type RunningInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

const NOTICES = [
  { name: 'chat', to: { webhook: { secret: 'sluice/chat-hook', shape: 'slack' } }, about: ['halted'] },
  { name: 'mail', to: { sns: ['mailto:a@example.com'] }, about: ['halted'] },
]
const OWN_KEY = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'
/** A name that no resolver knows (RFC 6761). */
const ADDRESS = 'https://hooks.invalid/s3cret'

describe('on AWS', () => {
  const fileOf = (url: string) => ({
    ...{ environment: 'live', service: { url, stage: 'test' }, notices: NOTICES },
    encryption: { secrets: OWN_KEY },
  })
  const deployed = deployedAws('notices on AWS', fileOf)
  let dir: string
  beforeAll(() => {
    const { service } = deployed()
    dir = service.dir
    writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(fileOf(service.sandbox.baseUrl)))
    writeFileSync(path.join(dir, 'address.txt'), `${ADDRESS}\n`, { mode: 0o600 })
    writeFileSync(path.join(dir, 'local.txt'), 'http://127.0.0.1:8080/s3cret', { mode: 0o600 })
  })
  const run = (...words: string[]) => runInProcess([...words, '--aws', '--config', path.join(dir, 'treasury.json')])
  const checks = () => noticeChecks(parseTreasury(JSON.stringify(fileOf('https://service.example'))))

  test('a notice without its secret fails its test and the doctor’s, and both name the command that puts it', async () => {
    const { exitCode, stderr } = await run('events', 'notices', 'test', 'chat')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('sluice events notices set chat --address FILE --aws')
    const [chat] = await checks()
    expect(chat).toMatchObject({ check: 'notice chat', status: 'fail' })
  })

  test('an address of this machine is refused, and nothing is written', async () => {
    const { exitCode, stderr, stdout } = await run(
      'events',
      'notices',
      'set',
      'chat',
      '--address',
      path.join(dir, 'local.txt'),
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain('expected an https address of the internet')
    expect(stderr + stdout).not.toContain('s3cret')
    expect((await checks())[0]).toMatchObject({ status: 'fail' })
  })

  test('a new address is used at once, and shown nowhere', async () => {
    const set = await run('events', 'notices', 'set', 'chat', '--address', path.join(dir, 'address.txt'))
    expect(set).toMatchObject({ exitCode: 0, stdout: 'chat: its address is in the secret sluice/chat-hook\n' })
    expect((await checks())[0]).toMatchObject({ status: 'ok' })
    const client = clientOf(SecretsManagerClient, deployed().aws)
    // The secret is made under the KMS key that the file names.
    expect((await client.send(new DescribeSecretCommand({ SecretId: 'sluice/chat-hook' }))).KmsKeyId).toBe(OWN_KEY)
    const tested = await run('events', 'notices', 'test', 'chat')
    expect(tested.exitCode).toBe(1)
    expect(tested.stderr).toMatch(/the receiver's name was not found|the receiver did not answer in time/)
    expect([set.stderr, tested.stderr].join()).not.toContain('s3cret')
  })

  test('a test by SNS is published to the topic of the environment', async () => {
    expect(await run('events', 'notices', 'test', 'mail')).toMatchObject({ exitCode: 0 })
    const [mail] = deployed().aws.publishedTo('live-sluice-notice-mail')
    expect(mail?.subject).toBe('Sluice live (test): TEST mail')
    const set = await run('events', 'notices', 'set', 'mail', '--address', path.join(dir, 'address.txt'))
    expect(set).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('this one is sent by SNS') })
  })
})

describe('at a desk', () => {
  let dir: string
  let receiver: LocalServer
  let serving: RunningInProcess
  beforeAll(async () => {
    dir = mkdtempSync(path.join(tmpdir(), 'sluice-notices-'))
    receiver = await startLocalServer((_request, response) => void response.writeHead(200).end())
    const service = { url: 'https://api.example.com', stage: 'test' }
    writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify({ service, notices: NOTICES }))
    writeFileSync(path.join(dir, 'address.txt'), `${receiver.baseUrl}/s3cret`, { mode: 0o600 })
    serving = startInProcess(['serve', '--jsonl', ...where()])
    await serving.firstLine
  })
  afterAll(async () => {
    await serving.interrupt()
    await receiver.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  const where = () => ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')]
  const run = (...words: string[]) => runInProcess([...words, ...where()])

  test('a receiver on this machine is set, and gets a test', async () => {
    expect(await run('events', 'notices', 'set', 'chat', '--address', path.join(dir, 'address.txt'))).toMatchObject({
      exitCode: 0,
    })
    const { exitCode, stdout } = await run('events', 'notices', 'test', 'chat', '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ notice: 'chat', outcome: 'DELIVERED' })
    const [delivered, ...others] = receiver.arrived
    expect(others).toEqual([])
    expect(JSON.parse(delivered?.body.toString() ?? '{}').text).toContain('This is a test of the notice chat.')
  })

  test('an unknown notice is answered with the nearest name', async () => {
    const { exitCode, stderr } = await run('events', 'notices', 'test', 'chta')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('did you mean chat?')
  })
})
