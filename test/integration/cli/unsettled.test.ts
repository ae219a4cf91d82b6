// A command that cannot start looks into the journal before it says what has moved: after a kill, an id that was sent
// and is not settled needs a person, whatever it is that fails now.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sluice, startSluice } from './command-line.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }

let dir: string
let service: SandboxProcess
/** Nothing listens there. */
let nowhere: string
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-unsettled-'))
  service = await startSandboxProcess()
  const gone = await startSandboxProcess()
  nowhere = gone.baseUrl
  await gone.stop()
  writeFileSync(path.join(dir, 'input.json'), JSON.stringify(request))
  writeFileSync(path.join(dir, 'keys.json'), service.keys)
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasury))
  await killedAfterBooking()
})
afterAll(async () => {
  await service.stop()
  rmSync(dir, { recursive: true, force: true })
})

interface Change {
  readonly id?: string
  readonly address?: string
  readonly keys?: string
  readonly config?: string
  readonly input?: string
}

function runArgs(change: Change = {}): string[] {
  const { id = 'killed', address = service.baseUrl, keys = 'keys.json' } = change
  const { config = 'treasury.json', input = 'input.json' } = change
  const args = ['run', 'convert', '--id', id, '--input', path.join(dir, input), '--state', path.join(dir, 'state')]
  return [...args, '--config', path.join(dir, config), '--service', address, '--keys', path.join(dir, keys)]
}

/** Its order is booked, and it has not heard so. */
async function killedAfterBooking(): Promise<void> {
  await service.arrange('/v2/orders', { kind: 'delay', ms: 5_000, when: 'after' })
  const running = startSluice(runArgs())
  await service.untilMoved([])
  running.child.kill('SIGKILL')
  await running.ended
}

test('after a kill, with the service out of reach, the command says that it may have moved: exit 3', async () => {
  const { exitCode, stdout, stderr } = await sluice(runArgs({ address: nowhere }))
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
  expect(stderr).not.toContain('nothing was sent that could move money')
})
