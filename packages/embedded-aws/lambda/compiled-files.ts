// V8's compiled code of functions' modules, for the next worker of this process: compilation is a quarter of its start.
// It stays in memory, because another program could replace a file on disk, and the code runs with keys.
import { url as inspectorUrl } from 'node:inspector'
import type { CompiledFile } from './worker-protocol.ts'

/** Maximum modules kept, about a megabyte each. A cloud assembly has a few. */
const MOST_KEPT = 16

const kept = new Map<string, CompiledFile>()

/** Returns nothing while a debugger may attach, because breakpoints would find no place. */
export function compiledOf(module: string): CompiledFile | undefined {
  return inspectorUrl() === undefined ? kept.get(module) : undefined
}

/** Keeps the newest code of each module, because a worker of another assembly has another text. */
export function keepCompiled(module: string, file: CompiledFile): void {
  kept.delete(module)
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest)
  kept.set(module, file)
}
