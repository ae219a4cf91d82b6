// Reads the fields of a JSON object by name, and records them, so that `close` can refuse every field that nobody read.
// Nothing unsupported is ignored silently.
import { Refusal } from './aws-error.ts'

/** CloudFormation accepts a string of digits as a number; a state machine's definition does not. */
type Numbers = 'as in CloudFormation' | 'as in JSON'

export class Fields {
  readonly where: string
  readonly #object: Readonly<Record<string, unknown>>
  readonly #numbers: Numbers
  readonly #read = new Set<string>()

  /** `where` names the object in refusals. Throws Refusal when the value is not an object. */
  constructor(value: unknown, where: string, numbers: Numbers = 'as in CloudFormation') {
    if (!isObject(value)) throw new Refusal(where, 'an object is expected here')
    this.#object = value
    this.#numbers = numbers
    this.where = where
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name)
  }

  /** Returns the value unchanged; undefined when absent. */
  raw(name: string): unknown {
    this.#read.add(name)
    return this.has(name) ? this.#object[name] : undefined
  }

  findText(name: string): string | undefined {
    const value = this.raw(name)
    if (value === undefined || typeof value === 'string') return value
    throw this.refuse(name, 'must be a string')
  }

  text(name: string): string {
    return this.findText(name) ?? this.#missing(name)
  }

  findNumber(name: string, least: number, most: number): number | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const isText = this.#numbers === 'as in CloudFormation' && typeof value === 'string' && /^\d+$/.test(value)
    const number = isText ? Number(value) : value
    if (typeof number === 'number' && number >= least && number <= most) return number
    throw this.refuse(name, `must be a number from ${least} to ${most}`)
  }

  findWhole(name: string, least: number, most: number): number | undefined {
    const number = this.findNumber(name, least, most)
    if (number === undefined || Number.isInteger(number)) return number
    throw this.refuse(name, `must be a whole number from ${least} to ${most}`)
  }

  findFlag(name: string): boolean | undefined {
    const value = this.raw(name)
    if (value === undefined || typeof value === 'boolean') return value
    throw this.refuse(name, 'must be true or false')
  }

  list(name: string): readonly unknown[] {
    const value = this.raw(name) ?? this.#missing(name)
    if (Array.isArray(value)) return value
    throw this.refuse(name, 'must be a list')
  }

  /** Returns the fields of a nested object. Throws Refusal when it is absent. */
  object(name: string): Fields {
    return new Fields(this.raw(name) ?? this.#missing(name), `${this.where}.${name}`, this.#numbers)
  }

  /** Returns an empty list when absent. */
  findList(name: string): readonly unknown[] {
    return this.has(name) ? this.list(name) : []
  }

  /** Reads a nested object with `read`, and closes it. Throws Refusal when it is absent. */
  within<T>(name: string, read: (fields: Fields) => T): T {
    const fields = this.object(name)
    const value = read(fields)
    fields.close()
    return value
  }

  /** As `within`; returns undefined when the object is absent. */
  findWithin<T>(name: string, read: (fields: Fields) => T): T | undefined {
    return this.has(name) ? this.within(name, read) : undefined
  }

  /** Returns all names of the object, read or not. */
  names(): readonly string[] {
    return Object.keys(this.#object)
  }

  /** Marks fields that have no effect here. */
  ignore(names: readonly string[]): this {
    for (const name of names) this.#read.add(name)
    return this
  }

  /** Refuses the first field that was neither read nor ignored. */
  close(): void {
    const unread = this.names().find((name) => !this.#read.has(name))
    if (unread !== undefined) throw this.refuse(unread, 'the embedded AWS does not support this field')
  }

  refuse(name: string, reason: string): Refusal {
    return new Refusal(`${this.where}.${name}`, reason)
  }

  #missing(name: string): never {
    throw this.refuse(name, 'is missing')
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Throws Refusal when the value is not an object, or its comment is not a string. */
export function definitionFields(value: unknown, where: string): Fields {
  const fields = new Fields(value, where, 'as in JSON')
  fields.findText('Comment')
  return fields
}
