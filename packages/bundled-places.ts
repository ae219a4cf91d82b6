// A plugin of esbuild. A bundled module still finds the files beside its source: each mention of its own place becomes a
// path from the bundle's folder, which is one folder below the root. What is not bundled is in the same folders of a
// checkout and of the package.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'esbuild'
import { ROOT } from './compile.ts'

export const bundledPlaces: Plugin = {
  name: 'bundled-places',
  setup(build) {
    // It finds the cache beside itself, and is loaded before the bundle is.
    build.onResolve({ filter: /\/compile-cache\.cjs$/ }, () => ({ path: '../bin/compile-cache.cjs', external: true }))
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      if (file.includes('/node_modules/')) return undefined
      const source = readFileSync(file, 'utf8')
      if (!source.includes('import.meta')) return undefined
      const from = `../${path.relative(ROOT, file).replaceAll(path.sep, '/')}`
      const contents = source
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${path.posix.dirname(from)}`)})`)
        .replaceAll(/import\.meta\.url\b/g, `new URL(${JSON.stringify(from)}, import.meta.url).href`)
        .replaceAll('import.meta.main', 'false')
      return { contents, loader: 'ts' }
    })
  },
}
