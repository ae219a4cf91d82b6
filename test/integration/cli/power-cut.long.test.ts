// The power fails right after the POST that moved money: unsynced data is lost, and the same command runs again over the rest.
// The witness is a service in the test's process, which keeps its power.
import path from 'node:path'
import { startSandbox } from '@sluice/service-sandbox'
import { beforeAll, describe, expect, test } from 'vitest'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { losingDisk, WITNESSES } from '../../helpers/power-cut/losing-disk.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startSluice } from './command-line.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH' }
/** Different amounts, because a state directory that is new for an account refuses an id that may have moved there. */
const AMOUNTS: Readonly<Record<string, string>> = { program: '0.5', system: '0.7', desk: '0.5' }
/** The shortest possible fence: the life of a quote, and the time that an answer is waited for. */
const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, orderVisibilitySeconds: 15 }

const { service, file, write } = useCommandsBeside({ service: { ...SERVICE, shared: false }, timing })
beforeAll(async () => {
  for (const [id, amount] of Object.entries(AMOUNTS)) write(`${id}.json`, { ...request, amount })
})

function onDesk(id: string, stateDir: string): string[] {
  const args = ['run', 'convert', '--id', id, '--input', file(`${id}.json`), '--state', stateDir]
  return [...args, '--config', file('treasury.json')]
}

function convert(id: string, stateDir: string): string[] {
  return [...onDesk(id, stateDir), '--service', service.baseUrl, '--keys', file('keys.json')]
}

/** Counted in the books of the built-in sandbox under a state directory. */
async function movedOnDesk(stateDir: string): Promise<string[]> {
  const sandbox = await startSandbox({ stateFile: builtInFolder(stateDir).sandboxFile })
  try {
    const response = await fetch(`${sandbox.controlUrl}/oracle`)
    const { movements } = (await response.json()) as { movements: { id: string }[] }
    return movements.map(({ id }) => id)
  } finally {
    await sandbox.stop()
  }
}

describe.each(WITNESSES)('a power cut, with synced files according to the $witness', ({ witness, isAbsent }) => {
  test.skipIf(isAbsent)('right after an order was booked: the same id adopts it and places no other', async () => {
    const disk = losingDisk(witness)
    const known = await service.orderIds()
    await service.arrange('/v2/orders', { kind: 'delay', ms: 5_000, when: 'after' })
    const running = startSluice(convert(witness, path.join(disk.rootDir, 'state')), { variables: disk.variables })
    const orderId = await service.untilMoved(known)
    running.child.kill('SIGKILL')
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL' })

    for (const names of ['synced', 'latest'] as const) {
      const { exitCode, stderr, stdout } = await runInProcess(
        convert(witness, path.join(disk.afterPowerCut(names), 'state')),
      )
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
      expect(JSON.parse(stdout)).toMatchObject({ outcome: 'FILLED', orderId })
      expect(await service.orderIds()).toEqual([...known, orderId])
    }
  })

  test.skipIf(isAbsent)('of the built-in sandbox too: its books and the journal have one order', async () => {
    const disk = losingDisk(witness)
    const running = startSluice(onDesk('desk', path.join(disk.rootDir, 'state')), { variables: disk.variables })
    await running.seen(/Order +filled/)
    running.child.kill('SIGKILL')
    // The program may have ended before the signal came. The power cut after that is as instructive.
    await running.ended

    for (const names of ['synced', 'latest'] as const) {
      const stateDir = path.join(disk.afterPowerCut(names), 'state')
      const movedBefore = await movedOnDesk(stateDir)
      expect(movedBefore).toHaveLength(1)
      const { exitCode, stderr, stdout } = await runInProcess(onDesk('desk', stateDir))
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
      expect([JSON.parse(stdout).orderId]).toEqual(movedBefore)
      expect(await movedOnDesk(stateDir)).toEqual(movedBefore)
    }
  })
})
