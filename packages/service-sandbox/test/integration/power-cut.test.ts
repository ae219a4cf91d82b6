// After a power cut, the state file holds everything that the sandbox has answered.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { losingDisk, WITNESSES } from '../../../../test/helpers/power-cut/losing-disk.ts'
import type { Sandbox } from '../../service/sandbox.ts'
import { Caller } from './caller.ts'

describe.each(WITNESSES)('after a power cut, with the $witness as witness of the syncs', ({ witness, isAbsent }) => {
  test.skipIf(isAbsent)('every answered movement is in the books, and its nonce is used', async () => {
    const disk = losingDisk(witness)
    const child = spawn(
      process.execPath,
      ['packages/service-sandbox/main.ts', '--state', path.join(disk.rootDir, 'state')],
      {
        env: { ...process.env, ...disk.variables },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const exited = once(child, 'exit')
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const caller = new Caller(JSON.parse(String(line)) as Sandbox)
    const orders = await Promise.all(
      Array.from({ length: 5 }, () => caller.convert('BTC-USDC', 'SELL', 'BTC', '0.1').then(({ body }) => body.id)),
    )
    const to = { assetSymbol: 'USDC', amount: '50', contactReference: 'cold-usdc-polygon' }
    const { body: withdrawal } = await caller.signed('/v2/withdrawals', to, { claims: { nonce: 'before' } })
    child.kill('SIGKILL')
    await exited

    for (const names of ['synced', 'latest'] as const) {
      const again = await Caller.start({ stateFile: path.join(disk.afterPowerCut(names), 'state') })
      const { movements } = (await again.control('GET', '/oracle')) as unknown as { movements: { id: string }[] }
      expect(movements.map(({ id }) => id).toSorted()).toEqual([...orders, withdrawal.id].toSorted())
      expect((await again.signed('/v2/withdrawals', to, { claims: { nonce: 'before' } })).body.code).toBe(
        'nonce_reused',
      )
      await again.sandbox.stop()
    }
  })
})
