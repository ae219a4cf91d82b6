// A path that is not a file is refused at once, by the command and by the script for others.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderOfFile } from '../../../helpers/folders.ts'
import { runInProcess } from '../run-in-process.ts'

const folder = folderOfFile()
const pipe = path.join(folder, 'pipe')
const directory = path.join(folder, 'directory')
execFileSync('mkfifo', [pipe])
mkdirSync(directory)

test.each([
  ['a pipe that nobody writes into', pipe],
  ['a directory', directory],
])('%s', async (_what, file) => {
  const { exitCode, stderr } = await runInProcess(['proof', 'check', file])
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('got no file') })
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['docs/verify-proof.mjs', file], (_error, _stdout, text) => resolve(text))
  })
  expect(output).toContain('it is none, it is empty, or it is too large')
})
