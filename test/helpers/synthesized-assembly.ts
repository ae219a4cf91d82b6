// vitest's global set-up: synthesizes the cloud assembly once, for every test that boots it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { synthesize } from '../../infra/synthesize.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The assembly of the repo's own treasury.json. */
    assemblyDir: string
  }
}

export default function setup(project: TestProject): () => void {
  const outDir = mkdtempSync(join(tmpdir(), 'sluice-assembly-'))
  synthesize({ configFile: 'treasury.json', outDir })
  project.provide('assemblyDir', outDir)
  return () => rmSync(outDir, { recursive: true, force: true })
}
