// Finds who else could write a file that only its user may change, such as a treasury.json.
import { statSync } from 'node:fs'
import path from 'node:path'

const GROUP_WRITES = 0o020
const OTHERS_WRITE = 0o002
const STICKY = 0o1000

/** In words, for the file or its folder. Undefined where nobody else can change them. */
export function findOtherWriter(file: string): { readonly place: string; readonly writer: string } | undefined {
  for (const place of [file, path.dirname(path.resolve(file))]) {
    const writer = otherWriterOf(place)
    if (writer !== undefined) return { place, writer }
  }
  return undefined
}

/**
 * In words; undefined where nobody else can. A user's own group may write, which is the default on many systems. In a
 * folder with the sticky bit others cannot replace a file.
 */
function otherWriterOf(place: string): string | undefined {
  const user = process.getuid?.()
  // Other systems have other kinds of permissions.
  if (user === undefined) return undefined
  const found = statSync(place)
  const { mode, uid, gid } = found
  if (uid !== user && uid !== 0) return `its owner, user ${uid}`
  if (found.isDirectory() && (mode & STICKY) !== 0) return undefined
  if ((mode & OTHERS_WRITE) !== 0) return `every user of this machine (mode ${(mode & 0o777).toString(8)})`
  if ((mode & GROUP_WRITES) !== 0 && gid !== process.getgid?.())
    return `group ${gid} (mode ${(mode & 0o777).toString(8)})`
  return undefined
}
