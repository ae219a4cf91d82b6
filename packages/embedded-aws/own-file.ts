// Reads files of a state directory that belong to this user. A file of another user, or behind a link, could hold false
// data: an execution that the owner did not start, or a secret that another user knows. Refuses such a file by name.
// JSON that is damaged is refused too, by name and never by its content.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { Refusal } from './aws-error.ts'

/** Undefined outside POSIX, where permissions are of another kind. Asked once, because a list opens thousands of files. */
const USER = process.getuid?.()

/**
 * Opens a file for reading.
 * @throws Refusal
 */
export function openOwn(file: string): number {
  if (USER === undefined) return openSync(file, 'r')
  let descriptor: number
  try {
    // O_NONBLOCK, so that opening a pipe does not wait for its writer.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ELOOP' ? new Refusal(file, LINK) : error
  }
  try {
    assertOwn(file, fstatSync(descriptor))
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** @throws Refusal */
export function readOwnBytes(file: string): Buffer {
  const descriptor = openOwn(file)
  try {
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** @throws Refusal */
export function readOwnText(file: string): string {
  return readOwnBytes(file).toString('utf8')
}

/** Checks files that a library opens by name. A folder that does not exist passes. @throws Refusal */
export function assertOwnFiles(folder: string): void {
  if (USER === undefined || !existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    assertOwn(file, lstatSync(file))
  }
}

const LINK =
  'is a symbolic link, and may lead out of the state directory; put the file itself there, or remove the link'

function assertOwn(file: string, found: Stats): void {
  if (found.uid !== USER)
    throw new Refusal(file, `belongs to another user (${found.uid}), who may have put it there; remove it`)
  if (found.isSymbolicLink()) throw new Refusal(file, LINK)
  if (!found.isFile()) throw new Refusal(file, 'is not a file; remove it')
}

type Fits<Stored> = (value: unknown) => value is Stored

/** @throws a Refusal that names the file */
export function parseStored<Stored>(text: string, place: string, fits: Fits<Stored>, remedy: string): Stored {
  const value = parseOrUndefined(text)
  if (fits(value)) return value
  throw new Refusal(place, `is damaged, so nothing uses it; ${remedy}`)
}

/**
 * Parses one value per line. Ignores a partial last line, because nothing was promised for it. @throws a Refusal that
 * names the file and the line
 */
export function parseStoredLines<Stored>(
  text: string,
  file: string,
  fits: Fits<Stored>,
  remedy: string,
): readonly Stored[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line, index) => parseStored(line, `${file}:${index + 1}`, fits, remedy))
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
