// Parts that the packers share: the compiler by the settings of the repository, pages without links to others, and
// places beside the source in a bundle.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'esbuild'

export const ROOT = path.resolve(import.meta.dirname, '..')
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc')
const OPTIONS = ['--noEmit', 'false', '--rewriteRelativeImportExtensions', '--declaration']
/** One form serves both kinds of module, so that each error and each construct has one class. */
export const COMMON_JS = { module: 'commonjs', moduleResolution: 'bundler', verbatimModuleSyntax: false }

/** Yarn without node_modules leaves packages in archives, where Node copies no folders and starts no threads. */
export const READ_FROM_DISK = { preferUnplugged: true }

/** For readers that know no `exports`: TypeScript in many CDK apps (`moduleResolution` node10) is one. */
export function oldEntry(file: string): { readonly main: string; readonly types: string } {
  return { main: file, types: file.replace(/\.js$/, '.d.ts') }
}

export interface Compilation {
  readonly compilerOptions: Readonly<Record<string, unknown>>
  readonly files?: readonly string[]
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** `target`: an existing folder. @throws Error with what the compiler says, where the package does not compile alone. */
export function compile(name: string, target: string, { compilerOptions, ...sources }: Compilation): void {
  const configFile = path.join(target, 'tsconfig.json')
  const typeRoots = [path.join(ROOT, 'node_modules/@types')]
  const config = {
    extends: path.join(ROOT, 'tsconfig.json'),
    compilerOptions: { typeRoots, allowJs: false, ...compilerOptions },
    ...sources,
  }
  writeFileSync(configFile, JSON.stringify(config))
  try {
    const { status, stdout } = spawnSync(process.execPath, [COMPILER, '-p', configFile, ...OPTIONS], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${name} does not compile:\n${stdout}`)
  } finally {
    rmSync(configFile)
  }
}

const LINK = /\[([^\]]+)\]\(([\w./-]+)(?:#[^)]*)?\)/g

/**
 * Says the name of each page that the package lacks, in the place of a link to it. Everything else is in the package already.
 */
export function copyPage(from: string, to: string): void {
  const page = readFileSync(from, 'utf8').replace(LINK, (link: string, text: string, linked: string) => {
    if (existsSync(path.join(path.dirname(to), linked))) return link
    const name = path.relative(ROOT, path.join(path.dirname(from), linked))
    return text === name ? `${name} of the repository` : `${text} (${name} of the repository)`
  })
  writeFileSync(to, page)
}

export const bundledPlaces: Plugin = {
  name: 'bundled-places',
  setup(build) {
    // It finds the cache beside itself, and is loaded before the bundle is.
    build.onResolve({ filter: /\/compile-cache\.cjs$/ }, () => ({ path: '../bin/compile-cache.cjs', external: true }))
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) =>
      file.includes('/node_modules/')
        ? undefined
        : { contents: placed(file, readFileSync(file, 'utf8')), loader: 'ts' },
    )
  },
}

/** The text of a source whose mentions of its own place lead there from the bundle. */
export function placed(file: string, source: string): string {
  const from = `../${path.relative(ROOT, file).replaceAll(path.sep, '/')}`
  return source
    .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${path.posix.dirname(from)}`)})`)
    .replaceAll(/import\.meta\.url\b/g, `new URL(${JSON.stringify(from)}, import.meta.url).href`)
    .replaceAll('import.meta.main', 'false')
}
