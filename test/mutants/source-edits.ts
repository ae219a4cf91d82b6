// Changes the product's source by its text, in the bundle or in a copy. The mutants of the simulation and of the days
// use it. The product has no hooks for this, and its own files are never written.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Plugin } from 'esbuild'

export interface Edit {
  /** Path from the repository root. */
  readonly file: string
  /** The file must have this text exactly once. */
  readonly find: string
  readonly replace: string
}

/** The common fields of all mutants. Each campaign adds where it catches them. */
export interface Mutant {
  readonly about: string
  readonly edits: readonly Edit[]
}

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The source folders of a bundle of the functions. Packages come from node_modules. */
const ROOMS = ['core', 'functions']

export const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })

/**
 * @throws Error unless the source has the text exactly once: the product has changed, so the mutant must change too.
 */
export function applyEdit(source: string, { file, find, replace }: Edit): string {
  const found = source.split(find).length - 1
  if (found !== 1) throw new Error(`${file} has the text of this mutant ${found} times, not once: ${find}`)
  if (find === replace) throw new Error(`${file}: this mutant changes nothing: ${find}`)
  return source.replace(find, () => replace)
}

/**
 * The changed text of each file, by its path from the root.
 * @throws Error as `applyEdit`
 */
export function editedSources(edits: readonly Edit[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  for (const one of edits) {
    const source = sources.get(one.file) ?? readFileSync(path.join(ROOT, one.file), 'utf8')
    sources.set(one.file, applyEdit(source, one))
  }
  return sources
}

/** A plugin for esbuild. The build fails if a changed file is not part of the bundle. */
export function editing(edits: readonly Edit[]): Plugin {
  const sources = editedSources(edits)
  return {
    name: 'mutant',
    setup(plugin) {
      const unmet = new Set(sources.keys())
      // One filter for each changed file, because esbuild waits for an answer about every file that a filter matches.
      for (const [file, contents] of sources) {
        plugin.onLoad({ filter: new RegExp(`^${path.join(ROOT, file).replace(/[^\w/]/g, '\\$&')}$`) }, () => {
          unmet.delete(file)
          return { contents, loader: 'ts' }
        })
      }
      plugin.onEnd(() => {
        if (unmet.size > 0) throw new Error(`not part of the bundle: ${[...unmet].join(', ')}`)
      })
    },
  }
}

/** Calls `work` with a folder that has a changed copy of the source of all functions, for a bundler without plugins. */
export function withEditedCopy(edits: readonly Edit[], work: (folder: string) => void): void {
  const copy = mkdtempSync(path.join(tmpdir(), 'sluice-mutant-'))
  try {
    for (const room of ROOMS) cpSync(path.join(ROOT, room), path.join(copy, room), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
    for (const [file, source] of editedSources(edits)) writeFileSync(path.join(copy, file), source)
    work(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
