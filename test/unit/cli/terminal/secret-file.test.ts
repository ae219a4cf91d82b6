// A file with secrets is read only if nobody else can read it. Any other file is read whatever its mode.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readText } from '../../../../place/files/text-file.ts'

const stdin = Readable.from([])
/** `nobody` on every system. */
const NOBODY = 65_534

let file: string
beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), 'sluice-secret-')), 'keys.json')
  writeFileSync(file, 'secret', { mode: 0o600 })
})
afterEach(() => rmSync(path.dirname(file), { recursive: true, force: true }))

test.each([0o400, 0o600])('a key file that only its owner can read is read (mode %o)', async (mode) => {
  chmodSync(file, mode)
  expect(await readText(file, 'keys', stdin)).toBe('secret')
})

test.each([0o604, 0o640, 0o660, 0o620])(
  'one that others can read or write is refused with the remedy (mode %o)',
  async (mode) => {
    chmodSync(file, mode)
    for (const kind of ['keys', 'bearer', 'address'] as const)
      await expect(readText(file, kind, stdin)).rejects.toMatchObject({
        exitCode: 2,
        message: `--${kind}: ${file} holds a secret, and is open to other users (mode ${mode.toString(8)})`,
        next: expect.stringMatching(new RegExp(`^chmod 600 ${file}, .*--${kind} - < ${file}$`)),
      })
    expect(await readText(file, 'input', stdin)).toBe('secret')
  },
)

test.runIf(process.getuid?.() === 0)(
  'one of another user (needs root, which can give files away) is refused',
  async () => {
    chownSync(file, NOBODY, NOBODY)
    await expect(readText(file, 'keys', stdin)).rejects.toMatchObject({
      message: `--keys: ${file} belongs to another user (65534), who can read and change it`,
    })
  },
)

test('a pipe from a shell is read', () => {
  const script = `import { readText } from ${JSON.stringify(new URL('../../../../place/files/text-file.ts', import.meta.url).href)}
process.stdout.write(await readText('/dev/stdin', 'keys', process.stdin))`
  const args = ['-c', 'printf piped | "$0" --input-type=module -e "$1"', process.execPath, script]
  expect(spawnSync('sh', args, { encoding: 'utf8' })).toMatchObject({ stdout: 'piped', stderr: '' })
})
