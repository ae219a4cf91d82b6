// The file of a world belongs to its owner alone. A file that others could have written is refused.
import { chmodSync, lchownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StateLog } from '../../service/state-log.ts'

const ORIGIN = { seed: 'sluice', openedAtMs: 0 }
/** The user `nobody` on every system. */
const NOBODY = 65_534

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sandbox-log-'))
  file = path.join(dir, 'world.log')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const createFile = () => StateLog.open(file, ORIGIN).log.close()

test('a new file is for its owner only, whatever the umask, and is opened again', async () => {
  const usual = process.umask(0)
  try {
    await createFile()
  } finally {
    process.umask(usual)
  }
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { log, origin } = StateLog.open(file, { seed: 'another', openedAtMs: 1 })
  await log.close()
  expect(origin).toMatchObject(ORIGIN)
})

test.each([
  ['a link', () => symlinkSync(path.join(dir, 'elsewhere'), file), /world\.log is a symbolic link/],
  [
    'a file that others can write to',
    () => {
      writeFileSync(file, '')
      chmodSync(file, 0o666)
    },
    /world\.log can be written by others: chmod go= /,
  ],
])('the error for %s names the file, and nothing is written', (_name, plant, words) => {
  plant()
  expect(() => StateLog.open(file, ORIGIN)).toThrow(words)
  expect(statSync(file, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
})

test.runIf(process.getuid?.() === 0)(
  'the error for a file of another user names it, and the file stays (needs root, to give files away)',
  async () => {
    await createFile()
    const text = readFileSync(file, 'utf8')
    lchownSync(file, NOBODY, NOBODY)
    expect(() => StateLog.open(file, ORIGIN)).toThrow(/world\.log belongs to another user \(65534\)/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)
