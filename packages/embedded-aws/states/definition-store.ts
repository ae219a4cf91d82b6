// Definitions by their hash. An execution continues with the definition that it was started with, even after the
// assembly has changed. Each is parsed once.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../aws-error.ts'
import { type Disk, DURABLE } from '../disk.ts'
import type { Fields } from '../fields.ts'
import { definitionFields } from '../fields.ts'
import { readOwnText } from '../own-file.ts'
import type { Definition } from './definition.ts'
import { parseGraph } from './parse-graph.ts'

/** Maximum characters of a definition. AWS: CreateStateMachine, `definition`. */
const MOST_CHARACTERS = 1_048_576

/** `text`: the resolved definition, as JSON. `machine` names it in refusals. Throws Refusal. */
export function parseDefinition(text: string, machine: string): Definition {
  const where = `state machine ${machine}`
  if (text.length > MOST_CHARACTERS) {
    throw new Refusal(where, `its definition has ${text.length} characters; AWS accepts ${MOST_CHARACTERS}`)
  }
  const fields = definitionFields(parseJson(text, where), where)
  const timeoutSeconds = fields.findWhole('TimeoutSeconds', 1, 99_999_999)
  requireValue(fields, 'Version', '1.0')
  requireValue(fields, 'QueryLanguage', 'JSONPath')
  const graph = parseGraph(fields, where, new Set())
  fields.close()
  return { ...graph, timeoutSeconds }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(where, 'its definition is not JSON')
  }
}

function requireValue(fields: Fields, name: string, only: string): void {
  const value = fields.findText(name) ?? only
  if (value !== only) throw fields.refuse(name, `only ${only} is supported`)
}

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
