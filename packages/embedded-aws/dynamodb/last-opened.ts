// Whether the database in a folder is the one that was used last from there. Both the database and a file beside its folder
// know the mark of the last opening and closing. An older copy that was put back has an older mark: then its tables get new
// ids, as those that DynamoDB restores have. A copy of the whole state directory brings the file along, and is not told
// from it; nor is a copy that was made and put back within one opening.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Disk } from '../disk.ts'
import { readOwnText } from '../own-file.ts'
import { parseStored } from '../stored-json.ts'

/** What the database does for it. */
export interface Marked {
  mark(): Promise<string | undefined>
  setMark(mark: string): Promise<void>
  /** Gives each table a new id. */
  renameTables(): Promise<void>
}

const isMarks = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Beside the folder, so that it is not in a copy of it. */
function fileOf(directory: string): string {
  return `${directory}.opened.json`
}

/** At each opening, before anybody reads. A folder without the file is new, or a person took the file away: it is taken as it is. */
export async function checkLastOpened(directory: string, database: Marked, disk: Disk): Promise<void> {
  const file = fileOf(directory)
  const mark = await database.mark()
  if (existsSync(file)) {
    const known = parseStored(readOwnText(file), file, isMarks, 'move it out of the state directory')
    if (mark === undefined || !known.includes(mark)) await database.renameTables()
  }
  await markAnew(directory, database, disk, mark)
}

/** The file knows both marks while the database changes its own, so that a process may be killed anywhere. */
export async function markAnew(
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
