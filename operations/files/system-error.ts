// Reads the operating system's code that Node puts on the errors of files, sockets and processes.

/** A code such as ENOENT; undefined for an error that has none. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
