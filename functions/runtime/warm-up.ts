// Starts work while a function initialises: credentials, connections, the key, the clock. Lambda waits for it before
// the first event, because the bundle file does (see infra/bundle/bundle.ts). Initialisation has a whole processor, an
// invocation only its share, and a quote lives for seconds.

/**
 * Longest wait in milliseconds. Lambda restarts an initialisation that takes 10 s. The first call waits for work that
 * is not finished.
 */
const LONGEST_MS = 1_000

const begun: Promise<unknown>[] = []

/** Starts `calls` and ignores their errors: if a fault lasts, the first real call meets and reports it. */
export function warmUp(...calls: readonly Promise<unknown>[]): void {
  for (const call of calls) begun.push(call.catch(() => undefined))
}

/** Resolves once all started work has ended, with or without error, or after 1 s. Never rejects. */
export async function warmedUp(): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_MS)
  })
  await Promise.race([Promise.all(begun), timeout])
  clearTimeout(timer)
}
