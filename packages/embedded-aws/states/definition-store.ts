// Definitions by their hash. An execution continues with the definition that it was started with, even after the
// assembly has changed. Each is parsed once.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Disk, DURABLE } from '../disk.ts'
import { readOwnText } from '../own-file.ts'
import { Refusal } from '../refusal.ts'
import type { Definition } from './definition.ts'
import { parseDefinition } from './parse-definition.ts'

export class DefinitionStore {
  readonly #root: string
  readonly #disk: Disk
  readonly #parsed = new Map<string, Definition>()

  constructor(root: string, disk: Disk = DURABLE) {
    this.#root = root
    this.#disk = disk
    disk.makeFolder(root)
  }

  /** Parses and keeps a definition, and returns its hash. Throws a Refusal that names `machine`. */
  put(text: string, machine: string): string {
    const hash = hashOf(text)
    this.#parsed.set(hash, parseDefinition(text, machine))
    const file = this.#pathOf(hash)
    // A file with another content is written again.
    if (!existsSync(file) || readOwnText(file) !== text) this.#disk.replace(file, text)
    return hash
  }

  get(hash: string, machine: string): Definition {
    const known = this.#parsed.get(hash)
    if (known !== undefined) return known
    const file = this.#pathOf(hash)
    const text = readOwnText(file)
    if (hashOf(text) !== hash) {
      throw new Refusal(file, 'is not the definition that executions were started with; restore it from a copy')
    }
    const definition = parseDefinition(text, machine)
    this.#parsed.set(hash, definition)
    return definition
  }

  #pathOf(hash: string): string {
    return path.join(this.#root, `${hash}.json`)
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
