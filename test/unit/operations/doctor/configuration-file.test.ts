// Others who could write the configuration of a desk are named, and nobody else.
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { configurationFileCheck } from '../../../../operations/doctor/configuration-check.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

function checkOf(modes: { readonly file?: number; readonly folder?: number }) {
  const folder = temporaryFolder()
  const file = path.join(folder, 'treasury.json')
  writeFileSync(file, '{}')
  chmodSync(file, modes.file ?? 0o644)
  chmodSync(folder, modes.folder ?? 0o755)
  return { file, folder, check: configurationFileCheck(file, 'test') }
}

test.each([0o600, 0o644, 0o664])('a file of mode %o, of this user and the group of this user, is in order', (mode) => {
  const { file, check } = checkOf({ file: mode })
  expect(check).toEqual({ check: 'configuration', status: 'ok', detail: `${file}, stage test`, next: null })
})

test('a file that every user can write gives a warning, with the fix', () => {
  const { file, check } = checkOf({ file: 0o666 })
  expect(check).toMatchObject({
    status: 'warn',
    detail: `${file}, stage test; ${file} can be changed by every user of this machine (mode 666)`,
    next: `chmod go-w ${file}, and read ${file} again`,
  })
})

test('at the stage live it fails, because a desk refuses such a file', () => {
  const { file } = checkOf({ file: 0o666 })
  expect(configurationFileCheck(file, 'live').status).toBe('fail')
})

test('a folder in which every user can replace the file gives a warning; with the sticky bit it does not', () => {
  const { folder, check } = checkOf({ folder: 0o777 })
  expect(check).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining(`${folder} can be changed by every user`),
  })
  expect(checkOf({ folder: 0o1777 }).check.status).toBe('ok')
})
