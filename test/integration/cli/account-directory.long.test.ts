// A state directory belongs to one account, whatever its address, and to no other account. The witness is a service in the
// process of the test.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startArrangedService } from './arranged-service.ts'
import { useCommandsBeside } from './commands.ts'

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }

const { service, desk: place, dir, file, write } = useCommandsBeside()
beforeAll(async () => {
  write('input.json', request)
})

function runArgs(id: string, address: string): string[] {
  const args = ['run', 'convert', '--id', id, '--input', file('input.json'), ...place()]
  return [...args, '--service', address, '--keys', file('keys.json')]
}

const localhost = () => service.baseUrl.replace('127.0.0.1', 'localhost')

test('one id under two spellings of the address is one order, with one result', async () => {
  const first = await runInProcess(runArgs('spelled', service.baseUrl))
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toMatchObject({ exitCode: 0 })
  const second = await runInProcess(runArgs('spelled', localhost()))
  expect({ exitCode: second.exitCode, stdout: second.stdout, stderr: second.stderr }).toMatchObject({
    exitCode: 0,
    stdout: first.stdout,
  })
  expect(await service.orderIds()).toEqual([JSON.parse(first.stdout).orderId])
})

test('stopped intents are listed by any address of the account, without a key', async () => {
  const { exitCode, stderr } = await runInProcess(['cases', 'list', ...place(), '--service', localhost()])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing needs a person') })
})

test('keys of another account are refused by its id, exit 2, and move nothing', async () => {
  const other = await startArrangedService('another-account')
  try {
    const args = runArgs('spelled', other.sandbox.baseUrl)
    const { exitCode, stdout, stderr } = await runInProcess([...args.slice(0, -4), ...other.flags()])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/--keys: these are keys of account \S+, and \S+ keeps the records of another account/)
    expect(await other.control('/oracle')).toMatchObject({ movements: [] })
  } finally {
    await other.stop()
  }
})

test('a directory whose account.json is gone moves nothing, and continues once it is put back: exit 3', async () => {
  const file = path.join(dir, 'state', 'account.json')
  const pin = readFileSync(file)
  rmSync(file)
  const refused = await runInProcess(runArgs('another', service.baseUrl))
  expect(refused).toMatchObject({ exitCode: 3, stdout: '' })
  expect(refused.stderr).toContain(`${file} is missing, so whose records`)
  expect(await service.orderIds()).toHaveLength(1)
  writeFileSync(file, pin, { mode: 0o600 })
  expect(await runInProcess(runArgs('spelled', localhost()))).toMatchObject({ exitCode: 0 })
  expect(await service.orderIds()).toHaveLength(1)
})
