// `sluice setup doctor --aws --after-deploy` against a real desk: the deployed file decides, the journal is pinned once the keys work, and one
// conversion of a market's minimum ties out.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Check } from '../../../operations/doctor/check.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

const deployed = deployedAws('after a deployment', (url) => ({
  environment: 'desk-3',
  service: { url, stage: 'test' },
}))
let file: string
beforeAll(() => {
  file = path.join(deployed().service.dir, 'deployed.json')
})

const verified = (...words: string[]) => interruptible(new AbortController().signal, ...words)

async function interruptible(signal: AbortSignal, ...words: string[]) {
  const argv = ['setup', 'doctor', '--aws', '--after-deploy', '--json', '--config', file, ...words]
  const { exitCode, stdout, stderr } = await runInProcess(argv, {}, {}, signal)
  const checks = stdout === '' ? [] : (JSON.parse(stdout) as Check[])
  return { exitCode, stdout, stderr, of: (name: string) => checks.find(({ check }) => check === name) }
}

const movements = async () => {
  const { movements: all } = (await deployed().service.control('/oracle')) as { readonly movements: readonly object[] }
  return all.length
}

test('where the service accepts no signature the journal stays unchanged, and schedules wait', async () => {
  await deployed().service.control('/account', { twoFactor: false })
  onTestFinished(() =>
    deployed()
      .service.control('/account', { twoFactor: true })
      .then(() => undefined),
  )
  const { exitCode, of } = await verified()
  expect(exitCode).toBe(1)
  expect(of('two-factor')).toMatchObject({ status: 'fail' })
  expect(of('account of the journal')).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(/two-factor failed; schedules wait$/),
    next: expect.stringContaining(`npx sluice setup doctor --aws --after-deploy --config ${file}`),
  })
})

test('where all checks pass the account is recorded once, and schedules start', async () => {
  const schedulesWait = async () => {
    const { stdout } = await runInProcess(['policies', '--aws', '--json', '--config', file])
    return JSON.parse(stdout).schedulesWait
  }
  expect(await schedulesWait()).toBe(true)
  const first = await verified()
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(first.of('account of the journal')).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(/\(test\), verified now: schedules start from now on$/),
  })
  expect(await schedulesWait()).toBe(false)
  expect((await verified()).of('account of the journal')).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(/\(test\): schedules start$/),
  })
  expect(await movements()).toBe(0)
})

test("a market's minimum is converted once on the deployed machine, and ties out", async () => {
  const { exitCode, of } = await verified('--convert', 'ETH-EUR')
  expect({ exitCode, conversion: of('conversion') }).toMatchObject({
    exitCode: 0,
    conversion: {
      status: 'ok',
      detail: expect.stringMatching(
        /^FILLED: (bought|sold) .*, order .*; id verify-\d{8}T\d{9}Z, intent cv-[0-9a-f]{32}$/,
      ),
    },
  })
  expect(of('tie-out')).toMatchObject({ status: 'ok', detail: expect.stringContaining('say the same') })
  expect(of('audit')).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(/from 20\S+Z on it judges this order/),
  })
  expect(await movements()).toBe(1)
})

test('an unknown market moves nothing', async () => {
  const before = await movements()
  const { exitCode, of } = await verified('--convert', 'ETH-MOON')
  expect({ exitCode, conversion: of('conversion')?.detail }).toEqual({
    exitCode: 1,
    conversion: 'not started: there is no market ETH-MOON',
  })
  expect(await movements()).toBe(before)
})

test('where everything is halted nothing is converted', async () => {
  const before = await movements()
  const words = ['--aws', '--config', file]
  expect((await runInProcess(['halt', '--because', 'a test', ...words])).exitCode).toBe(0)
  const { exitCode, of } = await verified('--convert', 'ETH-EUR')
  expect({ exitCode, conversion: of('conversion') }).toMatchObject({
    exitCode: 1,
    conversion: {
      detail: expect.stringContaining('halted: everything, by arn:aws:'),
      next: expect.stringContaining('resume'),
    },
  })
  expect((await runInProcess(['resume', '--because', 'a test', ...words])).exitCode).toBe(0)
  expect(await movements()).toBe(before)
})

test('another stage than test is refused before anything is asked', async () => {
  const live = path.join(deployed().service.dir, 'live.json')
  const waives = { splitKeys: 'a test', allowedContacts: 'a test', dailyBounds: 'a test', resumedBy: 'a test' }
  writeFileSync(live, JSON.stringify({ service: { url: 'https://service.example', stage: 'live' }, waives }))
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9')
  const { exitCode, stdout, stderr } = await verified('--convert', 'ETH-EUR', '--config', live)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('--convert: expected a deployment of the stage test')
})

test.each([
  [['setup', 'doctor', '--after-deploy'], 'expected --aws beside it'],
  [['setup', 'doctor', '--aws', '--after-deploy', '--before-deploy'], 'expected no --before-deploy beside it'],
  [['setup', 'doctor', '--aws', '--convert', 'ETH-EUR'], 'expected --aws --after-deploy beside it'],
  [['setup', 'doctor', '--aws', '--after-deploy', '--convert', '../x'], 'expected the id of a market'],
])('%j is a mistake', async (argv, message) => {
  const { exitCode, stderr } = await runInProcess(argv)
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) })
})

test('nothing is recorded where the deployment is unknown', async () => {
  const elsewhere = path.join(deployed().service.dir, 'elsewhere.json')
  const service = { url: deployed().service.sandbox.baseUrl, stage: 'test', keySecret: 'desk-3-sluice/service-key' }
  writeFileSync(elsewhere, JSON.stringify({ environment: 'desk-9', service }))
  const { exitCode, of } = await verified('--config', elsewhere)
  expect(exitCode).toBe(1)
  expect(of('account of the journal')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('schedules wait'),
  })
})

/** The output of a command that did not see the end of its conversion: the intent, and how to find it. */
function openEnd({ exitCode, of, stderr }: Awaited<ReturnType<typeof verified>>) {
  const { code, message, next } = JSON.parse(stderr).error
  expect({ exitCode, conversion: of('conversion') }).toEqual({ exitCode: 3, conversion: undefined })
  // Earlier findings are kept.
  expect(of('account of the journal')).toMatchObject({ status: 'ok' })
  expect(next).toMatch(
    /: npx sluice movements show verify-\S+ --aws .*; or follow it to its end: echo '\{.*\}' \| npx sluice run convert - /,
  )
  const [, intentId = ''] = /; it is intent (cv-[0-9a-f]{32})$/.exec(message) ?? []
  return { code, message, intentId }
}

/** Waits until the process has ended without a signal. */
async function outcomeOf(intentId: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { stdout } = await runInProcess(['movements', 'show', intentId, '--aws', '--json', '--config', file])
      const { outcome } = JSON.parse(stdout)
      expect(outcome).toBe('FILLED')
      return outcome
    },
    { timeout: 60_000, interval: 500 },
  )
}

test('an interrupted command says which conversion continues, and how to find it', async () => {
  const { watch } = deployed()
  const interruption = new AbortController()
  onTestFinished(() => watch(undefined))
  watch(({ operation, phase }) => {
    if (operation === 'StartExecution' && phase === 'after') interruption.abort()
    return undefined
  })
  const { code, intentId, message } = openEnd(await interruptible(interruption.signal, '--convert', 'ETH-EUR'))
  expect({ code, message }).toEqual({
    code: 'interrupted',
    message: expect.stringContaining('continues without this command'),
  })
  expect(await outcomeOf(intentId)).toBe('FILLED')
})

test('where the answer to the start is lost, no output denies the start', async () => {
  const { watch } = deployed()
  onTestFinished(() => watch(undefined))
  watch(({ operation, phase }) => (operation === 'StartExecution' && phase === 'after' ? 'drop' : undefined))
  const { code, intentId, message } = openEnd(await verified('--convert', 'ETH-EUR'))
  expect({ code, message }).toEqual({ code: 'in_doubt', message: expect.stringContaining('the run was begun') })
  expect(await outcomeOf(intentId)).toBe('FILLED')
})
