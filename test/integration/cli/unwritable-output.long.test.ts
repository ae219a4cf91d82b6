// Standard output that cannot be written: a full disk is reported as a failure, and a follower ends with its reader.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startSluice } from './command-line.ts'
import { useCommands } from './commands.ts'

const rootDir = path.resolve(import.meta.dirname, '../../..')
/** A Linux device that fails every write like a full disk. */
const FULL = '/dev/full'

const { file, write, place } = useCommands()
beforeAll(() => {
  const buy = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
  write('buy.json', buy)
})

const buy = (id: string) => ['run', 'convert', file('buy.json'), '--id', id, ...place()]

async function toFullDisk(...words: string[]) {
  const full = openSync(FULL, 'w')
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  const argv = [path.join(rootDir, 'cli/main.ts'), ...words]
  const child = spawn(process.execPath, argv, { cwd: rootDir, env, stdio: ['ignore', full, 'pipe'] })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [exitCode] = await once(child, 'close')
  closeSync(full)
  return { exitCode, stderr }
}

test.skipIf(!existsSync(FULL))(
  'a result that a full disk did not take is reported: exit 3 where money moved, otherwise 1',
  async () => {
    const run = await toFullDisk(...buy('lost'))
    expect(run).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('could not be written (ENOSPC)') })
    expect(run.stderr).toContain('the same command with its --id prints the result again')
    expect(await runInProcess(buy('lost'))).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('FILLED') })
    const list = await toFullDisk('movements', 'list', '--json', ...place())
    expect(list.exitCode).toBe(1)
    expect(JSON.parse(list.stderr)).toMatchObject({ error: { code: 'state_unusable' } })
  },
)

test('logs -f ends when its reader has gone', async () => {
  expect(await runInProcess(buy('first'))).toMatchObject({ exitCode: 0 })
  const following = startSluice(['logs', '-f', ...place().slice(0, 2)])
  await following.firstLine
  following.child.stdout?.destroy()
  // The command can no longer print the next event.
  expect(await runInProcess(buy('second'))).toMatchObject({ exitCode: 0 })
  expect(await following.ended).toMatchObject({ exitCode: 0 })
})
