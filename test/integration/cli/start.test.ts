// `npm start`: the tour, twice on one state directory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startScript } from './command-line.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let state: string
beforeAll(() => {
  state = mkdtempSync(path.join(tmpdir(), 'sluice-start-'))
})
afterAll(() => rmSync(state, { recursive: true, force: true }))

const start = (...args: string[]) => startScript('cli/start.ts', ['--state', state, ...args])

test('the tour converts three times, each in its own way, and ties out', async () => {
  const { exitCode, stdout, stderr } = await start().ended
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stdout).toMatch(/^filled at once +FILLED +BUY +BTC-USDC +0\.25 /m)
  expect(stdout).toMatch(/^settled later +FILLED +SELL +ETH-USDC +1\.5 .* 1 /m)
  expect(stdout).toMatch(/^first quote expired +FILLED +BUY +AAPLSPV-USD +[0-9.]+ .* 2 /m)
  expect(stdout).toMatch(/\ntie-out: 3 of 3: [^\n]+\n$/)
  expect(stderr).toMatch(/Order +accepted, still moving/)
  expect(stderr).toMatch(/Order +nothing moved: the quote was too old to send; attempt 2 asks for another quote/)
  expect(stderr).toMatch(/\nnext: {2}.*\n.*npm run sluice -- run convert .*\n.*npm run check\n$/)
  expect(stdout + stderr).not.toContain('\u001b')
})

test('a tour that was killed leaves nothing to clean up by hand', async () => {
  const killed = start()
  await killed.seen(/Quote +0\.25 BTC/)
  killed.child.kill('SIGKILL')
  await killed.ended
  const { exitCode, stdout, stderr } = await start('--json').ended
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({
    conversions: [{ outcome: 'FILLED' }, { outcome: 'FILLED' }, { outcome: 'FILLED', attempts: 2 }],
    tieOut: { tied: 3, of: 3, findings: [] },
  })
})

test('its help opens with an example, and a mistyped flag is answered with the nearest', async () => {
  expect((await start('--help').ended).stdout).toMatch(/^Example:\n {2}npm start\n/)
  const mistaken = await start('--jsn').ended
  expect(mistaken).toMatchObject({ exitCode: 2, stdout: '' })
  expect(mistaken.stderr).toContain("error: unknown option '--jsn'; did you mean --json?")
})
