// Definitions by their hash. An execution continues with the definition that it was started with, even after the
// assembly has changed. Each is parsed once. Parses the states of a machine or of a Map's processor, and whether every
// transition has a target.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../aws-error.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { definitionFields, type Fields } from '../fields.ts'
import { readOwnText } from '../own-file.ts'
import type { Definition, MapState, State, StateGraph } from './definition.ts'
import { parseCatchers, parseRetriers } from './parse-attempts.ts'
import { parseState } from './parse-state.ts'
import { findPath, findTemplate, parseInputAndOutput, parseNext, parseSelection } from './state-fields.ts'

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

const MOST_CONCURRENCY = 10_000

/** Maximum nesting of Maps within Maps. */
const MOST_NESTED = 5

/** `machine` names the machine in refusals. `names`: the state names of the whole machine so far. Throws Refusal. */
export function parseGraph(fields: Fields, machine: string, names: Set<string>, depth = 0): StateGraph {
  if (depth > MOST_NESTED) throw new Refusal(fields.where, `Map states nest more than ${MOST_NESTED} deep`)
  const startAt = fields.text('StartAt')
  const inner = fields.object('States')
  const states = new Map(
    inner.names().map((name) => {
      const where = `${machine}, state ${name}`
      if (names.has(name)) throw new Refusal(where, 'another state of the machine has this name')
      names.add(name)
      const parseProcessor = (processor: Fields) => parseGraph(processor, machine, names, depth + 1)
      return [name, parseState(name, inner.raw(name), where, (state) => parseMap(name, state, parseProcessor))]
    }),
  )
  if (!states.has(startAt)) throw fields.refuse('StartAt', `is not the name of a state: ${startAt}`)
  checkTransitions(states, startAt, fields.where)
  return { startAt, states }
}

function parseMap(name: string, fields: Fields, parseProcessor: (processor: Fields) => StateGraph): MapState {
  const processor = fields.object('ItemProcessor')
  processor.findText('Comment')
  if (processor.has('ProcessorConfig')) {
    const config = processor.object('ProcessorConfig')
    const mode = config.findText('Mode') ?? 'INLINE'
    if (mode !== 'INLINE') throw config.refuse('Mode', 'only INLINE is supported')
    config.close()
  }
  const graph = parseProcessor(processor)
  processor.close()
  return {
    type: 'Map',
    name,
    ...parseInputAndOutput(fields),
    itemsPath: findPath(fields, 'ItemsPath'),
    itemSelector: findTemplate(fields, 'ItemSelector'),
    processor: graph,
    maxConcurrency: fields.findWhole('MaxConcurrency', 0, MOST_CONCURRENCY) ?? 0,
    resultSelector: findTemplate(fields, 'ResultSelector'),
    resultPath: parseSelection(fields, 'ResultPath'),
    retry: parseRetriers(fields),
    catch: parseCatchers(fields),
    next: parseNext(fields),
  }
}

/** AWS refuses a transition without a target, an unreachable state, and a machine without an end. */
function checkTransitions(states: ReadonlyMap<string, State>, startAt: string, where: string): void {
  const reached = new Set([startAt])
  for (const name of reached) {
    const state = states.get(name)
    if (state === undefined) throw new Refusal(where, `a transition leads to ${name}, which is not a state`)
    for (const target of targetsOf(state)) reached.add(target)
  }
  const lost = [...states.keys()].find((name) => !reached.has(name))
  if (lost !== undefined) throw new Refusal(`${where}, state ${lost}`, 'no transition leads here')
  if (![...states.values()].some(isEnd)) throw new Refusal(where, 'no state ends it')
}

function isEnd(state: State): boolean {
  if (state.type === 'Choice') return false
  return state.type === 'Succeed' || state.type === 'Fail' || state.next === undefined
}

function targetsOf(state: State): readonly string[] {
  switch (state.type) {
    case 'Task':
    case 'Map':
      return [...state.catch.map((catcher) => catcher.next), ...found(state.next)]
    case 'Choice':
      return [...state.choices.map((choice) => choice.next), ...found(state.otherwise)]
    case 'Pass':
    case 'Wait':
      return found(state.next)
    case 'Succeed':
    case 'Fail':
      return []
  }
}

function found(next: string | undefined): readonly string[] {
  return next === undefined ? [] : [next]
}
