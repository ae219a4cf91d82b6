// What a function begins while it initialises: credentials, connections, the key, the clock. Lambda waits for it before
// the first event, as the file that it loads does (see infra/bundle.ts): initialisation has a whole processor, an
// invocation only its share, and a quote lives for seconds.

/** Lambda starts an initialisation again that takes 10 s. What is not there by now, the first call waits for. */
const LONGEST_MS = 1_000

const begun: Promise<unknown>[] = []

/** The first real call meets the same fault, if it lasts, and is the one to tell. */
export function warmUp(...calls: readonly Promise<unknown>[]): void {
  for (const call of calls) begun.push(call.catch(() => undefined))
}

/** Resolves once all that was begun has ended, well or not, or after a second. Never rejects. */
export async function warmedUp(): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_MS)
  })
  await Promise.race([Promise.all(begun), late])
  clearTimeout(timer)
}
