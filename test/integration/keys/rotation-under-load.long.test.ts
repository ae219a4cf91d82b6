// `sluice keys` rotates both halves of a key while conversions and reads continue: on the embedded AWS, with the
// shipped functions and their cached keys, against the sandbox.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { secretsManagerKeySource } from '../../../core/keys/secrets-manager-key-source.ts'
import { createServiceClient } from '../../../core/service/service-client.ts'
import { type RunningMachines, startMachines } from '../../helpers/running-machines.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { SECRET, useAws } from './key-commands.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }
const WEEK_MS = 7 * 24 * 3_600_000

interface Ended {
  readonly status: string
  readonly outcome: string
  readonly orderId: string | undefined
  readonly attempts: number | undefined
}

/** Runs conversions in two sequences until it is stopped. */
function convertOnAndOn(machine: RunningMachines) {
  const ended: Ended[] = []
  let isOver = false
  let count = 0
  async function row(): Promise<void> {
    while (!isOver) {
      const { status, report } = await machine.run(`load-${++count}`, BUY)
      ended.push({ status, outcome: report.outcome, orderId: report.orderId, attempts: report.attempts })
    }
  }
  const rows = [row(), row()]
  return {
    ended,
    /** Resolves when this many more have ended since the call. */
    more: (wanted: number) => {
      const enough = ended.length + wanted
      return expect.poll(() => ended.length, { interval: 20 }).toBeGreaterThanOrEqual(enough)
    },
    async stop(): Promise<readonly Ended[]> {
      isOver = true
      await Promise.all(rows)
      return ended
    },
  }
}

/** Reads the account repeatedly with a cached key, as a function does. */
function readOnAndOn(machine: RunningMachines) {
  const { credentials, endpointUrl: endpoint, region } = machine.aws
  const secrets = new SecretsManagerClient({ endpoint, region, credentials })
  const key = secretsManagerKeySource({
    secretId: SECRET,
    stage: 'test',
    role: 'read',
    clock: systemClock,
    client: secrets,
  })
  const client = createServiceClient({ baseUrl: machine.sandbox.baseUrl, key, clock: systemClock, newId: randomUUID })
  onTestFinished(() => {
    client.close()
    secrets.destroy()
  })
  const failed: unknown[] = []
  let count = 0
  let isOver = false
  async function row(): Promise<void> {
    while (!isOver) {
      await client.account().catch((error: unknown) => failed.push(error))
      count += 1
      await systemClock.sleep(5)
    }
  }
  const reading = row()
  const stop = async () => {
    isOver = true
    await reading
    return { failed, count }
  }
  return { client, stop }
}

test('keys are rotated under a load of reads and conversions without a failed run', async () => {
  const machine = await startMachines(inject('assemblyDir'))
  onTestFinished(() => machine.stop())
  await machine.control('/limits', { perKey: 100_000, perAccount: 100_000 })
  useAws(machine.aws)
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = (name: string, text: string) => {
    writeFileSync(path.join(machine.stateDir, name), text, { mode: 0o600 })
    return path.join(machine.stateDir, name)
  }
  const config = file('treasury.json', JSON.stringify({ service: { url: machine.sandbox.baseUrl, stage: 'test' } }))
  /** Runs one command of a rotation, which must succeed. Returns its output. */
  async function keys(...argv: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await runInProcess(['keys', ...argv, '--config', config])
    expect({ argv, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ argv, exitCode: 0, stderr: '' })
    return stdout
  }
  const key = (change: object) => machine.control<KeyShown>('/keys/full', change)

  const load = convertOnAndOn(machine)
  const reads = readOnAndOn(machine)
  await load.more(2)

  // The bearer secret: a new one from the dashboard, beside the old.
  const { secrets } = await key({ do: 'rotate' })
  await keys('stage', '--bearer', file('bearer', secrets.at(-1)?.secret ?? ''))
  await keys('verify')
  await keys('promote')
  await load.more(2)

  // The signing key. The old one is revoked at once, while functions still have it in their cache.
  const publicKeyPem = await keys('generate')
  const { signingKeys } = await key({ do: 'addSigningKey', publicKeyPem })
  await keys('verify')
  await keys('promote')
  await key({ do: 'revokeSigningKey', signingKeyId: signingKeys[0]?.id })
  await load.more(4)

  const ended = await load.stop()
  const { failed, count } = await reads.stop()
  expect(ended.filter(({ status, outcome }) => status !== 'SUCCEEDED' || outcome !== 'FILLED')).toEqual([])
  expect({ failed, isBusy: count > 20 }).toEqual({ failed: [], isBusy: true })
  // A send with the revoked key was refused. It stayed in doubt until its fence, and another attempt was made.
  expect(ended.map(({ attempts }) => attempts)).toContain(2)
  await expectOneOrderEach(machine, ended)

  // The grace period of the old bearer secret ends. A function with the old one in its cache reads the secret again.
  await machine.control('/clock', { advanceMs: WEEK_MS })
  expect((await reads.client.account()).id).not.toBe('')
  const notAfter = new Date(Date.now() + 2 * WEEK_MS).toISOString()
  expect((await machine.run('after', { ...BUY, notAfter })).report).toMatchObject({ outcome: 'FILLED', attempts: 1 })
})

interface KeyShown {
  readonly secrets: readonly { readonly secret: string }[]
  readonly signingKeys: readonly { readonly id: string }[]
}

/** Every run has the one movement that it reports, and both bearer secrets have signed. */
async function expectOneOrderEach(machine: RunningMachines, ended: readonly Ended[]): Promise<void> {
  const moved = (await machine.movements()).map(({ orderId }) => orderId)
  expect(moved.toSorted()).toEqual(ended.map(({ orderId }) => orderId).toSorted())
  const { invariants, movements } = await machine.control<{ invariants: object; movements: { kid: string }[] }>(
    '/oracle',
  )
  expect(invariants).toEqual({ ok: true, violations: [] })
  expect(new Set(movements.map(({ kid }) => kid)).size).toBe(2)
}
