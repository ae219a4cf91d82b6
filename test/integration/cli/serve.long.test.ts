// `sluice serve` from the shell: it keeps schedules and takes events until it is stopped. An event that comes twice is one run,
// and a begun run continues when it serves again.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'
import { useCommandsBeside } from './commands.ts'

const policies = {
  core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } },
  slow: { kind: 'rebalance', weights: { ETH: '0.5', USDT: '0.5' } },
  watched: { kind: 'rebalance', weights: { SOL: '1' }, mode: 'shadow', schedule: { expression: 'rate(1 minute)' } },
}

const { service, place, keys, dir } = useCommandsBeside({ policies })
const serve = (...flags: string[]) => startSluice(['serve', '--jsonl', ...flags, ...place(), ...keys()])

interface Told {
  readonly event?: string
  readonly execution?: string
  readonly text?: string
}

/** Finds the first matching line, among earlier and later lines. */
function linesOf({ child, ended }: Running) {
  let text = ''
  child.stdout?.on('data', (chunk: string) => {
    text += chunk
  })
  const lines = (): Told[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const until = async (fits: (line: Told) => boolean): Promise<Told> => {
    const { promise, resolve, reject } = Promise.withResolvers<Told>()
    const check = () => {
      const line = lines().find(fits)
      if (line !== undefined) resolve(line)
    }
    child.stdout?.on('data', check)
    check()
    void ended.then(({ stderr }) => reject(new Error(`ended; its output: ${stderr}`)))
    return promise
  }
  return { lines, until }
}

/** Only the owner may read the file. */
function fromIni(file: string) {
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const values = Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(' = ') as [string, string]),
  )
  return { accessKeyId: values.aws_access_key_id ?? '', secretAccessKey: values.aws_secret_access_key ?? '' }
}

interface Ready {
  readonly eventsUrl: string
  readonly region: string
  readonly credentialsFile: string
}

async function put({ eventsUrl, region, credentialsFile }: Ready, policy: string, id: string): Promise<void> {
  const Detail = JSON.stringify({ version: 1, id, policy })
  const entry = { EventBusName: 'sluice', Source: 'test', DetailType: 'Rebalance Requested', Detail }
  const client = new EventBridgeClient({ endpoint: eventsUrl, region, credentials: fromIni(credentialsFile) })
  expect(await client.send(new PutEventsCommand({ Entries: [entry] }))).toMatchObject({ FailedEntryCount: 0 })
  client.destroy()
}

/** Scheduled runs are named after their policy, requested ones after what was requested. */
const isOf = (start: string, event: string) => (line: Told) =>
  line.event === event && line.execution?.startsWith(`${start}-`) === true

/** Makes it look as if it had last served some minutes ago. */
function letMinutesPass({ credentialsFile }: Ready): void {
  const file = path.join(path.dirname(credentialsFile), 'schedules.json')
  const known: Record<string, object> = JSON.parse(readFileSync(file, 'utf8'))
  const agoMs = Date.now() - 150_000
  const was = Object.entries(known).map(([arn, progress]) => [
    arn,
    { ...progress, createdMs: agoMs, sinceMs: agoMs, lastMs: agoMs },
  ])
  writeFileSync(file, JSON.stringify(Object.fromEntries(was)))
}

test('schedules run and events start runs, each once, until it is stopped with exit 0', async () => {
  const before = serve()
  const served: Ready = JSON.parse(await before.firstLine)
  before.child.kill('SIGINT')
  expect(await before.ended).toMatchObject({ exitCode: 0 })
  letMinutesPass(served)

  const running = serve()
  const { lines, until } = linesOf(running)
  const ready = JSON.parse(await running.firstLine)
  expect(ready).toMatchObject({ eventBus: 'sluice', region: 'us-east-1', service: service.baseUrl })
  expect(ready.schedules).toContainEqual(
    expect.objectContaining({ name: 'watched', expression: 'rate(1 minute)', isEnabled: true }),
  )
  await put(ready, 'core', 'month-end')
  await put(ready, 'core', 'month-end')
  expect(await until(isOf('rebalance', 'ended'))).toMatchObject({ text: 'SETTLED' })
  expect(await until(isOf('watched', 'ended'))).toMatchObject({ text: 'SHADOWED' })
  expect(lines().filter(isOf('rebalance', 'started'))).toHaveLength(1)
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ exitCode: 0, signal: null, stderr: '' })

  const { stdout } = await runInProcess(['runs', 'list', '--policy', 'core', '--json', ...place()])
  expect(JSON.parse(stdout)).toMatchObject({ hasMore: false, runs: [{ outcome: 'SETTLED', trigger: { by: 'event' } }] })
})

test('a run that a kill cut off continues when it serves again, with one movement a leg', async () => {
  const known = await service.orderIds()
  await service.arrange('/v2/orders', { kind: 'delay', ms: 2_000, when: 'after' })
  const killed = serve()
  await put(JSON.parse(await killed.firstLine), 'slow', 'killed')
  await service.untilMoved([...known, ...(await service.withdrawalIds())])
  killed.child.kill('SIGKILL')
  await killed.ended

  const again = serve()
  const { until } = linesOf(again)
  expect(await until(isOf('rebalance', 'ended'))).toMatchObject({ text: 'SETTLED' })
  again.child.kill('SIGTERM')
  expect(await again.ended).toMatchObject({ exitCode: 0 })
  const { stdout } = await runInProcess(['runs', 'list', '--policy', 'slow', '--json', ...place()])
  const { runs } = JSON.parse(stdout)
  expect(runs).toHaveLength(1)
  const shown = await runInProcess(['movements', 'show', runs[0].runId, '--json', ...place()])
  const { legs } = JSON.parse(shown.stdout) as { legs: { conversion: { orderId: string } }[] }
  const moved = (await service.orderIds()).filter((id) => !known.includes(id))
  expect(legs.map(({ conversion }) => conversion.orderId).toSorted()).toEqual(moved.toSorted())
})

test('a clock that was set back is a line of JSON as well, after the ready line', async () => {
  const file = path.join(dir, 'state', 'service', 'aws', 'schedules.json')
  const reached: Record<string, Record<string, unknown>> = JSON.parse(readFileSync(file, 'utf8'))
  const ahead = Date.now() + 86_400_000
  for (const one of Object.values(reached)) Object.assign(one, { createdMs: ahead, lastMs: ahead, sinceMs: ahead - 1 })
  writeFileSync(file, JSON.stringify(reached))
  const running = serve()
  const { until } = linesOf(running)
  expect(JSON.parse(await running.firstLine)).toMatchObject({ eventBus: 'sluice' })
  expect(await until(({ event }) => event === 'clock')).toMatchObject({
    from: new Date(ahead).toISOString(),
    text: expect.stringContaining('was set back'),
  })
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ exitCode: 0 })
})
