// What V8 made of the files that functions load, for the next worker of this process that loads the same: a quarter of its
// start is compilation. It stays in memory: what lies on a disk somebody could replace, and it would run with keys.
import { url as inspectorUrl } from 'node:inspector'
import type { CompiledFile } from './worker-protocol.ts'

/** About a megabyte each. A cloud assembly has a few modules. */
const MOST_KEPT = 16

const kept = new Map<string, CompiledFile>()

/** None while the process is open to a debugger, which would find no place for a breakpoint. */
export function compiledOf(module: string): CompiledFile | undefined {
  return inspectorUrl() === undefined ? kept.get(module) : undefined
}

/** The newest of each module, because a worker of another assembly has another text. */
export function keepCompiled(module: string, file: CompiledFile): void {
  kept.delete(module)
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest)
  kept.set(module, file)
}
