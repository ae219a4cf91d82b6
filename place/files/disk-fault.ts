// Makes the message for an error of the disk: the file, the reason, and what to do. It knows nothing about the
// content. Reads the operating system's code that Node puts on errors of files, sockets and processes.
import { constants } from 'node:os'

interface Fault {
  readonly why: string
  readonly next: string
}

const AGAIN = 'and run the same command again; nothing is half written'
const NO_ROOM: Fault = { why: 'there is no room left on its disk', next: `make room on that disk, ${AGAIN}` }
const TOO_MANY: Fault = {
  why: 'too many files are open',
  next: `raise the limit (ulimit -n), or end what holds many files open, ${AGAIN}`,
}
const NOT_ALLOWED: Fault = {
  why: 'this user may not use it so',
  next: `give it to this user (ls -l shows whose it is), ${AGAIN}`,
}

const FAULTS: Readonly<Record<string, Fault>> = {
  ENOSPC: NO_ROOM,
  EDQUOT: { ...NO_ROOM, why: 'the quota of this user is used up' },
  EROFS: { why: 'its disk can only be read', next: `make that disk writable, or name another place, ${AGAIN}` },
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  ENOTDIR: { why: 'a file is where a folder is to be', next: `name another place, ${AGAIN}` },
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  EIO: { why: 'its disk failed', next: 'look at that disk; keep the directory, and start none of its ids elsewhere' },
}

/** Codes by the text that LevelDB writes in their place. */
const TEXTS: readonly (readonly [text: RegExp, code: keyof typeof FAULTS])[] = [
  [/no space left/i, 'ENOSPC'],
  [/disk quota/i, 'EDQUOT'],
  [/read-only file system/i, 'EROFS'],
  [/permission denied/i, 'EACCES'],
  [/input\/output error/i, 'EIO'],
  [/too many open files/i, 'EMFILE'],
]

/** Undefined where the error does not concern a file. */
export function findDiskFault(error: unknown): { readonly message: string; readonly next: string } | undefined {
  if (!(error instanceof Error)) return undefined
  const code = systemCodeOf(error) ?? ''
  const fault = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined
  if (fault && 'path' in error && typeof error.path === 'string')
    return { message: `${error.path}: ${fault.why} (${code})`, next: fault.next }
  const [, file, reason = ''] = /\bIO error: (\S+): (.+?)\)?$/m.exec(error.message) ?? []
  const [, known = ''] = TEXTS.find(([text]) => text.test(reason)) ?? []
  const told = FAULTS[known]
  return told && { message: `${file}: ${told.why} (${known})`, next: told.next }
}

/** Recognises the database's message where a process has the journal open whose lock could not be seen. */
export function isOpenElsewhere(reason: string): boolean {
  return /\bis in use by another process\b/.test(reason)
}

export const OPEN_ELSEWHERE =
  'it is a process that this one cannot see, such as one in another container: run the command there, or stop that process'

/** A code such as ENOENT; undefined for an error that has none. */
export function systemCodeOf(error: unknown): string | undefined {
  // Node has no name for a used-up quota.
  if (error instanceof Error && 'errno' in error && error.errno === -constants.errno.EDQUOT) return 'EDQUOT'
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
