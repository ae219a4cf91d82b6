// Checks who else could write the configuration of a desk, because it holds guards, policies and approvers.
import { statSync } from 'node:fs'
import path from 'node:path'
import type { Stage } from '../../core/contract/service-settings.ts'
import { type Check, ok, warn } from './check.ts'

const CHECK = 'configuration'
const GROUP_WRITES = 0o020
const OTHERS_WRITE = 0o002
const STICKY = 0o1000

export function configurationFileCheck(file: string, stage: Stage): Check {
  const detail = `${file}, stage ${stage}`
  for (const place of [file, path.dirname(path.resolve(file))]) {
    const writer = otherWriterOf(place)
    if (writer === undefined) continue
    return warn(CHECK, `${detail}; ${place} can be changed by ${writer}`, `chmod go-w ${place}, and read ${file} again`)
  }
  return ok(CHECK, detail)
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
