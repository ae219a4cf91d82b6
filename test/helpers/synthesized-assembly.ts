// Synthesizes the cloud assembly once for every test that boots it. Vitest runs this file as a global set-up. The
// assembly is that of the repository's treasury.json, except that polls read once instead of for five seconds, because
// the time inside a function is real.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { synthesize } from '../../infra/synthesize.ts'

declare module 'vitest' {
  interface ProvidedContext {
    assemblyDir: string
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-assembly-'))
  const configFile = join(folder, 'treasury.json')
  const outDir = join(folder, 'cdk.out')
  const treasury = JSON.parse(readFileSync('treasury.json', 'utf8'))
  // Each sandbox has one journal.
  const service = { ...treasury.service, shared: false }
  const timing = { ...treasury.timing, pollInsideSeconds: 0 }
  writeFileSync(configFile, JSON.stringify({ ...treasury, service, timing }))
  // CDK's validation of templates is most of a synthesis. synth.test.ts has it on.
  const { CDK_VALIDATION } = process.env
  process.env.CDK_VALIDATION ??= 'false'
  synthesize({ configFile, outDir })
  if (CDK_VALIDATION === undefined) delete process.env.CDK_VALIDATION
  project.provide('assemblyDir', outDir)
  return () => rmSync(folder, { recursive: true, force: true })
}
