// Definitions by their hash: an execution goes on with the definition that it was started with,
// also after the assembly has changed. Each is parsed once.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Definition } from './definition.ts'
import { parseDefinition } from './parse-definition.ts'

export class DefinitionStore {
  readonly #root: string
  readonly #parsed = new Map<string, Definition>()

  constructor(root: string) {
    this.#root = root
    mkdirSync(root, { recursive: true, mode: 0o700 })
  }

  /** Parses and keeps a definition; gives its hash. Throws Refusal that names `machine`. */
  put(text: string, machine: string): string {
    const hash = createHash('sha256').update(text).digest('hex')
    this.#parsed.set(hash, parseDefinition(text, machine))
    const file = this.#pathOf(hash)
    if (!existsSync(file)) {
      // Renamed into place, so that a file of this name is always whole.
      writeFileSync(`${file}.new`, text, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    }
    return hash
  }

  get(hash: string, machine: string): Definition {
    const known = this.#parsed.get(hash)
    if (known !== undefined) return known
    const definition = parseDefinition(readFileSync(this.#pathOf(hash), 'utf8'), machine)
    this.#parsed.set(hash, definition)
    return definition
  }

  #pathOf(hash: string): string {
    return path.join(this.#root, `${hash}.json`)
  }
}
