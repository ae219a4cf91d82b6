// Builds a module of the product with a few changes, for tests that compare it with the product.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { type Edit, editing } from './source-edits.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/**
 * `file`: path from the repository root.
 * @throws Error where the product no longer has the text of an edit
 */
export async function builtVariant<Module>(file: string, edits: readonly Edit[]): Promise<Module> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-variant-'))
  try {
    const outfile = path.join(folder, 'variant.mjs')
    await build({
      entryPoints: [path.join(ROOT, file)],
      ...{ bundle: true, platform: 'node', format: 'esm', target: 'node24', outfile, logLevel: 'silent' },
      plugins: [editing(edits)],
    })
    return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Module
  } finally {
    rmSync(folder, { recursive: true })
  }
}
