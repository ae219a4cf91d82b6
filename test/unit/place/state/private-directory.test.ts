// A state directory that others may change or read is repaired or refused before it is trusted.
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../../../core/clock.ts'
import { lockState } from '../../../../place/state/state-lock.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

let stateDir: string
beforeEach(() => {
  stateDir = temporaryFolder()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const modeOf = () => statSync(stateDir).mode & 0o777

async function use(): Promise<string[]> {
  const warnings: string[] = []
  const lock = await lockState({ stateDir, clock: systemClock, onRepaired: (words) => warnings.push(words) })
  lock.release()
  return warnings
}

test('a directory of its own that others may enter is repaired, and named', async () => {
  expect(await use()).toEqual([])
  mkdirSync(path.join(stateDir, 'built-in'))
  chmodSync(stateDir, 0o755)
  expect(await use()).toEqual([`${stateDir} was open to others (mode 755); it is for its owner only now (700)`])
  expect(modeOf()).toBe(0o700)
  expect(await use()).toEqual([])
})

test('a directory that is open to others for other files is refused, and left unchanged', async () => {
  writeFileSync(path.join(stateDir, 'letter.txt'), 'of somebody')
  chmodSync(stateDir, 0o777)
  await expect(use()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('(mode 777)') })
  expect(modeOf()).toBe(0o777)
  expect(readdirSync(stateDir)).toEqual(['letter.txt'])
})

test('a directory that all users share is refused, even if it is empty, and left unchanged', async () => {
  chmodSync(stateDir, 0o1777)
  await expect(use()).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('is there for all users of this machine to share'),
  })
  expect(statSync(stateDir).mode & 0o7777).toBe(0o1777)
  expect(readdirSync(stateDir)).toEqual([])
})

test('a directory of another user is refused, with the remedy', async () => {
  const user = process.getuid?.() ?? 0
  vi.spyOn(process, 'getuid').mockReturnValue(user + 1)
  await expect(use()).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`${stateDir} belongs to another user (${user})`),
    next: expect.stringContaining(`chown -R ${user + 1} ${stateDir}`),
  })
})
