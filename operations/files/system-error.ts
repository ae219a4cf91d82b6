// What the operating system says of a failure: the code that Node puts on the errors of files, sockets and processes.

/** Such as ENOENT. Undefined where it is no error of the system. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
