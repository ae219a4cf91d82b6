// Makes folders of tests, which nobody has to remove.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const make = () => mkdtempSync(path.join(tmpdir(), 'sluice-test-'))
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

/** A folder that is removed after the tests of the file. It is called outside of tests. */
export function folderOfFile(): string {
  const folder = make()
  afterAll(() => remove(folder))
  return folder
}

/** A folder that is removed after the test, for the test or for what runs before it. */
export function temporaryFolder(): string {
  const folder = make()
  onTestFinished(() => remove(folder))
  return folder
}
