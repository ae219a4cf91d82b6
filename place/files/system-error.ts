// Reads the operating system's code that Node puts on the errors of files, sockets and processes.
import { constants } from 'node:os'

/** A code such as ENOENT; undefined for an error that has none. */
export function systemCodeOf(error: unknown): string | undefined {
  // Node has no name for a used-up quota.
  if (error instanceof Error && 'errno' in error && error.errno === -constants.errno.EDQUOT) return 'EDQUOT'
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
