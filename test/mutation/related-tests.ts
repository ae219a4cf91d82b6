// Finds the unit tests that load a module, by what esbuild reads of their imports.
import { globSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const ROOT = path.resolve(import.meta.dirname, '../..')
const UNIT_TESTS = '{test,packages/*/test}/unit/**/*.test.ts'

/** The tests that load a file, by path from the repository root. Those with the shortest way to the file come first. */
export type RelatedTests = (file: string) => readonly string[]

export async function readRelatedTests(): Promise<RelatedTests> {
  const tests = globSync(UNIT_TESTS, { cwd: ROOT }).sort()
  const { metafile } = await build({
    ...{ absWorkingDir: ROOT, entryPoints: tests, outdir: ROOT, packages: 'external', bundle: true },
    ...{ platform: 'node', format: 'esm', target: 'node24', logLevel: 'silent', metafile: true, write: false },
  })
  const importers = new Map<string, string[]>()
  for (const [importer, { imports }] of Object.entries(metafile.inputs))
    for (const { path: file } of imports) importers.set(file, [...(importers.get(file) ?? []), importer])
  const isTest = new Set(tests)

  return (file) => {
    // Iteration over a Set includes what is added during it, so the nearest importers come first.
    const reached = new Set([file])
    for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer)
    return [...reached].filter((one) => isTest.has(one))
  }
}
