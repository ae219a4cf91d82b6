// Detects an older copy of a database. The database, and a file beside its folder, hold the mark of the last opening
// and closing. A copy put back has an older mark, so its tables get new ids, as restored tables of DynamoDB have. It
// cannot detect a copy of the whole state directory, which includes the file, or a copy made and put back within one
// opening.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Disk } from '../disk.ts'
import { readOwnText } from '../own-file.ts'
import { parseStored } from '../stored-json.ts'

/** The operations that a database needs for its mark. */
export interface Marked {
  mark(): Promise<string | undefined>
  setMark(mark: string): Promise<void>
  /** Gives every table a new id. */
  renameTables(): Promise<void>
}

const isMarks = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((mark) => typeof mark === 'string')

/** The file is beside the folder, so a copy of the folder does not include it. */
function fileOf(directory: string): string {
  return `${directory}.opened.json`
}

/**
 * Runs at mark opening, before anybody reads. If the file is absent, the folder is new or a person removed the file:
 * the database is accepted.
 */
export async function checkLastOpened(directory: string, database: Marked, disk: Disk): Promise<void> {
  const file = fileOf(directory)
  const mark = await database.mark()
  if (existsSync(file)) {
    const known = parseStored(readOwnText(file), file, isMarks, 'move it out of the state directory')
    if (mark === undefined || !known.includes(mark)) await database.renameTables()
  }
  await writeMark(directory, database, disk, mark)
}

/**
 * Writes a new mark. While the database changes its mark, the file holds both, so the process may be killed at any
 * point.
 */
export async function writeMark(
  directory: string,
  database: Marked,
  disk: Disk,
  was: string | undefined,
): Promise<string> {
  const file = fileOf(directory)
  const mark = randomUUID()
  disk.replace(file, JSON.stringify(was === undefined ? [mark] : [was, mark]))
  await database.setMark(mark)
  disk.replace(file, JSON.stringify([mark]))
  return mark
}
