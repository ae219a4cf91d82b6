// The JSON that the SDK's clients of a function speak (AWS JSON 1.0 and 1.1). A value is written as it is; an answer is read
// by the SDK's own description of it, for only that says what is a time or a row of bytes. An error is one of the SDK's
// classes where it has one of that name. In the place of the SDK's codecs.
// Source: Smithy 2.0, "AWS JSON 1.0 protocol" and "AWS JSON 1.1 protocol".

/** Of an answer, what is read besides its body. */
export interface ResponseHead {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}

type ErrorClass = new (options: ErrorOptions) => Error

interface ErrorOptions {
  readonly name: string
  readonly message: string
  readonly $fault: 'client' | 'server'
  readonly $metadata: object
}

/** What all errors of a service extend; the retry of the SDK goes by its fields. */
export class ServiceException extends Error {
  readonly $fault: ErrorOptions['$fault']
  readonly $metadata: object

  constructor({ name, message, $fault, $metadata }: ErrorOptions) {
    super(message)
    this.name = name
    this.$fault = $fault
    this.$metadata = $metadata
  }
}

/** Where the SDK notes which class an error has. */
export class TypeRegistry {
  readonly classes = new Map<string, ErrorClass>()

  registerError([, , name]: readonly [number, string, string], errorClass: ErrorClass): void {
    this.classes.set(name, errorClass)
  }
}

interface Settings {
  readonly serviceTarget: string
  readonly errorTypeRegistries: readonly TypeRegistry[]
}

export class JsonProtocol {
  readonly #settings: Settings
  readonly #contentType: string

  constructor(version: '1.0' | '1.1', settings: Settings) {
    this.#settings = settings
    this.#contentType = `application/x-amz-json-${version}`
  }

  headersFor(operation: string): Record<string, string> {
    return { 'content-type': this.#contentType, 'x-amz-target': `${this.#settings.serviceTarget}.${operation}` }
  }

  /** @throws ServiceException, or one of the SDK's that extend it, for what the service refused. @throws SyntaxError */
  outputOf(schema: Schema, head: ResponseHead, text: string): object {
    const $metadata = { httpStatusCode: head.statusCode, requestId: head.headers['x-amzn-requestid'] }
    if (head.statusCode >= 300) throw this.#errorOf(head, text, $metadata)
    return { ...Object(read(schema, objectOf(JSON.parse(text)))), $metadata }
  }

  #errorOf({ headers, statusCode }: ResponseHead, text: string, $metadata: object): Error {
    const told = parsed(text)
    const name = errorNameOf(told.__type ?? told.code ?? headers['x-amzn-errortype'])
    const $fault = statusCode < 500 ? 'client' : 'server'
    const options = {
      name,
      message: String(told.message ?? told.Message ?? 'UnknownError'),
      $fault,
      $metadata,
    } as const
    const registry = this.#settings.errorTypeRegistries.find(({ classes }) => classes.has(name))
    return new (registry?.classes.get(name) ?? ServiceException)(options)
  }
}

export class AwsJson1_0Protocol extends JsonProtocol {
  constructor(settings: Settings) {
    super('1.0', settings)
  }
}

export class AwsJson1_1Protocol extends JsonProtocol {
  constructor(settings: Settings) {
    super('1.1', settings)
  }
}

/** Bytes become base64; all else that is sent is text, numbers, lists and maps. */
export function write(input: object): string {
  return JSON.stringify(input, function (this: Record<string, unknown>, key, value) {
    const { [key]: held } = this
    return held instanceof Uint8Array ? Buffer.from(held).toString('base64') : value
  })
}

/** As the SDK writes it: a number for what is simple, else an array; a function where it is made late. */
export type Schema = number | string | readonly unknown[] | (() => Schema)

const BLOB = 21
const isTime = (simple: number) => simple >= 4 && simple <= 7
/** Added to the number of what a list or a map holds. */
const LIST_OF = 64
const MAP_OF = 128

/** The trait of a field that the SDK fills by itself, anew for each request. No command of a function has one. */
const IDEMPOTENCY_TOKEN = 4

export function wantsToken(schema: Schema): boolean {
  const [, , , , , members] = (typeof schema === 'function' ? schema() : schema) as readonly unknown[]
  return (
    Array.isArray(members) && members.some((member) => Array.isArray(member) && (member[1] & IDEMPOTENCY_TOKEN) > 0)
  )
}

/** `told` as `schema` describes it. What it does not describe is left out. */
function read(schema: Schema, told: unknown): unknown {
  if (typeof schema === 'function') return read(schema(), told)
  if (typeof schema === 'string') return told
  if (typeof schema === 'number') {
    if (isTime(schema)) return new Date(typeof told === 'number' ? told * 1_000 : String(told))
    if (schema === BLOB) return bytesOf(told)
    if (schema >= MAP_OF) return readMap(schema - MAP_OF, objectOf(told))
    return schema >= LIST_OF ? readList(schema - LIST_OF, told) : told
  }
  // A member: its schema, and its traits.
  if (schema.length === 2) return read(schema[0] as Schema, told)
  const [kind, , , , first, second] = schema as readonly [number, string, string, unknown, Schema, Schema]
  switch (kind) {
    case 0:
      return read(first, told)
    case 1:
      return readList(first, told)
    case 2:
      return readMap(second, objectOf(told))
    default:
      return readMembers(first as unknown as readonly string[], second as unknown as readonly Schema[], objectOf(told))
  }
}

function readList(schema: Schema, told: unknown): readonly unknown[] {
  if (!Array.isArray(told)) throw new SyntaxError('the answer has no list where one should be')
  return told.map((each) => read(schema, each))
}

/** Stricter than the SDK, which takes anything else for an empty one: no such record would then mean no halt. */
function objectOf(told: unknown): Readonly<Record<string, unknown>> {
  if (told !== null && typeof told === 'object' && !Array.isArray(told)) return told as Record<string, unknown>
  throw new SyntaxError('the answer has no object where one should be')
}

/** Stricter than Node, which leaves out what is no base64. */
function bytesOf(told: unknown): Uint8Array {
  const bytes = Buffer.from(String(told), 'base64')
  if (bytes.toString('base64') !== told) throw new SyntaxError('the answer has bytes that are no base64')
  return new Uint8Array(bytes)
}

function readMap(schema: Schema, told: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(told).map(([key, value]) => [key, read(schema, value)]))
}

function readMembers(names: readonly string[], schemas: readonly Schema[], told: Readonly<Record<string, unknown>>) {
  const found: Record<string, unknown> = {}
  for (const [at, name] of names.entries()) {
    const { [name]: value } = told
    if (value !== undefined && value !== null) found[name] = read(schemas[at] as Schema, value)
  }
  return found
}

/** A proxy on the way may answer with what is no JSON. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Of `com.amazonaws.dynamodb#NAME:https://…`. */
function errorNameOf(told: unknown): string {
  const [first = ''] = String(told ?? '').split(/[,:]/)
  return first.slice(first.indexOf('#') + 1) || 'Unknown'
}
