// Changes the product's source by its text, while it is bundled or in a copy of it. Mutants of the simulation and of the
// days are made with it. The product has no hooks for this, and its own files are never written.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Plugin } from 'esbuild'

export interface Edit {
  /** From the root of the repository. */
  readonly file: string
  /** The text must be in the file exactly once. */
  readonly find: string
  readonly replace: string
}

/** What every table of mutants says of one of them. Each campaign adds where it catches it. */
export interface Mutant {
  readonly about: string
  readonly edits: readonly Edit[]
}

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The rooms of a bundle of the functions. Packages come by way of node_modules, as they are. */
const ROOMS = ['core', 'functions']

export const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })

/** @throws Error unless the source has the text once: the product has changed, and so must the mutant. */
export function applyEdit(source: string, { file, find, replace }: Edit): string {
  const found = source.split(find).length - 1
  if (found !== 1) throw new Error(`${file} has the text of this mutant ${found} times, not once: ${find}`)
  if (find === replace) throw new Error(`${file}: this mutant changes nothing: ${find}`)
  return source.replace(find, () => replace)
}

/** The changed text of each file, by its name from the root. @throws Error as `applyEdit` */
export function editedSources(edits: readonly Edit[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  for (const one of edits) {
    const source = sources.get(one.file) ?? readFileSync(path.join(ROOT, one.file), 'utf8')
    sources.set(one.file, applyEdit(source, one))
  }
  return sources
}

/** For esbuild. The build fails where a changed file is no part of the bundle. */
export function editing(edits: readonly Edit[]): Plugin {
  const sources = editedSources(edits)
  return {
    name: 'mutant',
    setup(plugin) {
      const unmet = new Set(sources.keys())
      // A filter for each changed file: esbuild waits for an answer about every file that a filter lets pass.
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

/** Gives `work` a folder with a changed copy of the source of all functions, for a bundler that takes no plugin. */
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
