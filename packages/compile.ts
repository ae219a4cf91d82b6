// Compiles a package to JavaScript with types, by the settings of the repository and some of its own.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '..')
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc')
const OPTIONS = ['--noEmit', 'false', '--rewriteRelativeImportExtensions', '--declaration']
/** One form serves both kinds of module, so that each error and each construct has one class. */
export const COMMON_JS = { module: 'commonjs', moduleResolution: 'bundler', verbatimModuleSyntax: false }

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
