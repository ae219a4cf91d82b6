// The runbook's steps after a restore of the journal let nothing move twice.
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { databaseFolder } from '@sluice/embedded-aws'
import { expect, test } from 'vitest'
import { drill, startDesk } from './drill.ts'

test('a journal that was restored to an earlier day is refused, rebuilt and accepted, and no later id moves again', async () => {
  const desk = await startDesk({})
  const input = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
  const file = desk.file('buy.json', JSON.stringify(input))
  const buy = (id: string) => desk.sluice('run', 'convert', file, '--id', id, '--json')
  const moved = async () => (await desk.control<{ movements: unknown[] }>('/oracle')).movements.length
  const backup = path.join(desk.folder, 'backup')

  expect((await buy('before')).exitCode).toBe(0)
  await desk.close()
  cpSync(databaseFolder(desk.awsDir()), backup, { recursive: true })
  await desk.serveAgain()
  const { intentId } = JSON.parse((await buy('since')).stdout)
  await desk.close()
  rmSync(databaseFolder(desk.awsDir()), { recursive: true })
  cpSync(backup, databaseFolder(desk.awsDir()), { recursive: true })
  const refused = await buy('another')
  expect(refused.exitCode, refused.stderr).not.toBe(0)
  expect(refused.stderr + refused.stdout).toContain('restored or replaced')

  const [found] = await drill('The journal is lost or restored', desk, {
    values: { NAME: 'ada', TEXT: 'verify has found nothing' },
    byHand: {},
  })
  expect(found?.stdout).toContain(`LOST  I#convert#${intentId}`)
  await desk.serveAgain()
  for (const id of ['before', 'since']) await buy(id)
  expect(await moved()).toBe(2)
  expect((await buy('afterwards')).exitCode).toBe(0)
  expect(await moved()).toBe(3)
})
