// Tests `sluice setup diff`, and the configuration that commands for AWS use: the deployed one, and not the local file.
// The deployment has an environment, so that each command uses its names.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

const service = { url: 'https://service.example', stage: 'test' }
const core = { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, mode: 'shadow' }
const DEPLOYED = {
  ...{ environment: 'desk-2', service },
  ...{ guards: { worstSlippageBps: 40, allowedContacts: ['c-1'] }, policies: { core } },
}
const LOOSER = {
  ...DEPLOYED,
  guards: { worstSlippageBps: 9999, allowedContacts: ['c-1', 'c-9'] },
  policies: { core: { ...core, weights: { BTC: '0.6', USDC: '0.4' } }, other: core },
}

const deployed = deployedAws('the difference', DEPLOYED)
let dir: string
beforeAll(() => {
  dir = deployed().service.dir
  writeFileSync(path.join(dir, 'same.json'), JSON.stringify(DEPLOYED))
  writeFileSync(path.join(dir, 'looser.json'), JSON.stringify(LOOSER))
  const buy = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(buy))
})

const run = (file: string, ...words: string[]) => runInProcess([...words, '--aws', '--config', path.join(dir, file)])

test('a loosened guard is named first, and the changes of a file are counted', async () => {
  const { exitCode, stdout } = await run('looser.json', 'setup', 'diff', '--csv')
  expect(exitCode).toBe(0)
  expect(stdout.split('\r\n').slice(1, 4)).toEqual([
    'loosened,guards.allowedContacts,contact c-9: newly allowed',
    'loosened,guards.worstSlippageBps,the worst price of a conversion: from 40 to 9999 basis points',
    'changed,policies.core.weights.BTC,from 0.5 to 0.6',
  ])
  const {
    release,
    deployed: was,
    file,
    changes,
  } = JSON.parse((await run('looser.json', 'setup', 'diff', '--json')).stdout)
  expect(release).toMatch(/^\d+\.\d+\.\d+$/)
  expect(was).not.toBe(file)
  expect(changes).toHaveLength(5)
})

test('--exit-code ends with 7 where a bound is loosened, and with 0 for any other change', async () => {
  expect(await run('looser.json', 'setup', 'diff', '--exit-code')).toMatchObject({ exitCode: 7 })
  expect(await run('same.json', 'setup', 'diff', '--exit-code')).toMatchObject({ exitCode: 0 })
  writeFileSync(path.join(dir, 'tighter.json'), JSON.stringify({ ...DEPLOYED, guards: { worstSlippageBps: 30 } }))
  writeFileSync(
    path.join(dir, 'stricter.json'),
    JSON.stringify({ ...DEPLOYED, guards: { worstSlippageBps: 30, allowedContacts: [] } }),
  )
  // Without a list of contacts any contact is allowed.
  expect(await run('tighter.json', 'setup', 'diff', '--exit-code')).toMatchObject({ exitCode: 7 })
  expect(await run('stricter.json', 'setup', 'diff', '--exit-code')).toMatchObject({ exitCode: 0 })
})

test('effects of a change outside the file are reported', async () => {
  const other = { ...DEPLOYED, service: { ...service, keySecret: 'desk-2/other' }, webhooks: {} }
  writeFileSync(path.join(dir, 'other.json'), JSON.stringify(other))
  const { stderr } = await run('other.json', 'setup', 'diff')
  expect(stderr).toContain('executions under way sign with the former secrets')
  expect(stderr).toContain('give the new address to the service')
  expect((await run('looser.json', 'setup', 'diff')).stderr).not.toMatch(/sign with the secrets|give the new one/)
})

test('another path of roles is shown with the way to change it, because a deployment cannot', async () => {
  const moved = { ...DEPLOYED, aws: { account: '123456789012', region: 'eu-west-1', rolePath: '/company/' } }
  writeFileSync(path.join(dir, 'moved.json'), JSON.stringify(moved))
  const { stderr } = await run('moved.json', 'setup', 'diff')
  expect(stderr).toContain('CloudFormation refuses another aws.rolePath: docs/deployment.md')
})

test('the deployed file changes nothing, and has the deployed hash', async () => {
  const { deployed: was, file, changes } = JSON.parse((await run('same.json', 'setup', 'diff', '--json')).stdout)
  expect({ changes, isSame: was === file }).toEqual({ changes: [], isSame: true })
  expect((await run('same.json', 'setup', 'diff')).stderr).toContain('changes nothing: it is what is deployed')
})

test('a command for AWS uses the deployed configuration, and says so where the file differs', async () => {
  const { stdout } = await run('looser.json', 'policies', '--json')
  expect(JSON.parse(stdout).policies.map(({ policy }: { policy: string }) => policy)).toEqual(['core'])
  expect((await run('looser.json', 'policies')).stderr).toMatch(
    /the deployed configuration differs from .*looser\.json, and is used: .* diff --aws/,
  )
  expect((await run('same.json', 'policies')).stderr).not.toContain('differs')
  expect((await run('looser.json', 'plan', 'other')).stderr).toContain('treasury.json has core')
})

test('a movement, its log, its audit and the switch are found under the names of the environment', async () => {
  expect(await run('same.json', 'run', 'convert', path.join(dir, 'buy.json'), '--id', 'one')).toMatchObject({
    exitCode: 0,
  })
  const log = JSON.parse((await run('same.json', 'logs', 'one', '--json')).stdout)
  expect(log.at(-1)).toMatchObject({ event: 'ended', text: 'FILLED' })
  expect(JSON.parse((await run('same.json', 'movements', 'show', 'one', '--json')).stdout)).toBeDefined()
  expect(await run('same.json', 'journal', 'audit')).toMatchObject({ exitCode: 0 })
  expect(await run('same.json', 'halt', '--because', 'a test')).toMatchObject({ exitCode: 0 })
  expect(await run('same.json', 'cases', 'list')).toMatchObject({ exitCode: 3 })
  expect(await run('same.json', 'resume')).toMatchObject({ exitCode: 0 })
  expect(await run('same.json', 'events', 'dead-letters', 'list', '--json')).toMatchObject({ exitCode: 0 })
})

test('under another environment nothing is deployed', async () => {
  writeFileSync(path.join(dir, 'elsewhere.json'), JSON.stringify({ ...DEPLOYED, environment: 'live' }))
  const { exitCode, stderr } = await run('elsewhere.json', 'setup', 'diff')
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 8,
    stderr: expect.stringMatching(/nothing that reports its configuration is deployed .* as the environment live/),
  })
})

test('without --aws the file is compared with the serving process, and a missing process is reported', async () => {
  const words = ['setup', 'diff', '--state', path.join(dir, 'nobody'), '--config', path.join(dir, 'same.json')]
  expect(await runInProcess(words)).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('no process serves') })
})
