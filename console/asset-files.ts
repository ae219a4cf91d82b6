// Reads the files that pages load: a style sheet, scripts and the icon. They are read once, from this folder only.
import { readFileSync } from 'node:fs'
import path from 'node:path'

interface Asset {
  readonly type: string
  readonly body: string
}

const FILES: readonly (readonly [name: string, type: string])[] = [
  ['console.css', 'text/css; charset=utf-8'],
  ['console.js', 'text/javascript; charset=utf-8'],
  ['go.js', 'text/javascript; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
]

/** By the path at which each file is served. */
export function assetFiles(): ReadonlyMap<string, Asset> {
  const folder = path.resolve(import.meta.dirname, 'assets')
  return new Map(
    FILES.map(([name, type]) => [`/assets/${name}`, { type, body: readFileSync(path.join(folder, name), 'utf8') }]),
  )
}
