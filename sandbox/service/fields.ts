// What one query parameter or body field may be: how it is read, what to tell someone who got it
// wrong, and its JSON Schema, in one value, so that checks and the OpenAPI document cannot differ.
import { type Amount, findAmount, ZERO } from './amount.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Field<T> {
  /** The value, or undefined when `raw` is not acceptable. Query parameters arrive as strings. */
  readonly read: (raw: unknown) => T | undefined
  /** Completes "<name>: expected …". */
  readonly expectation: string
  readonly schema: JsonSchema
  /** What an absent field means; undefined when it must be there. */
  readonly whenAbsent: { readonly value: T } | undefined
}

export type Fields = Readonly<Record<string, Field<unknown>>>
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }

export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { ...field, whenAbsent: { value: undefined } }
}

export function withDefault<T>(field: Field<T>, value: T & (string | number)): Field<T> {
  return { ...field, schema: { ...field.schema, default: value }, whenAbsent: { value } }
}

export function oneOf<const T extends string>(...allowed: readonly T[]): Field<T> {
  return {
    read: (raw) => allowed.find((value) => value === raw),
    expectation: `one of ${allowed.join(', ')}`,
    schema: { type: 'string', enum: allowed },
    whenAbsent: undefined,
  }
}

/** Visible text of bounded length. */
export function text(maxLength: number): Field<string> {
  return {
    read: (raw) => (typeof raw === 'string' && raw.length >= 1 && raw.length <= maxLength ? raw : undefined),
    expectation: `a string of 1 to ${maxLength} characters`,
    schema: { type: 'string', minLength: 1, maxLength },
    whenAbsent: undefined,
  }
}

/** A name that people give: text without control characters, not blank. */
export const label: Field<string> = {
  read: (raw) => {
    if (typeof raw !== 'string' || raw.trim() === '' || raw.length > 128 || /\p{Cc}/u.test(raw)) return undefined
    return raw
  },
  expectation: 'a string of 1 to 128 characters, not blank and without control characters',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  whenAbsent: undefined,
}

/** A whole number in a query string: plain digits only. */
export function wholeNumber(minimum: number, maximum: number): Field<number> {
  return {
    read: (raw) => {
      if (typeof raw !== 'string' || !/^[0-9]{1,9}$/.test(raw)) return undefined
      const value = Number(raw)
      return value >= minimum && value <= maximum ? value : undefined
    },
    expectation: `a whole number from ${minimum} to ${maximum}`,
    schema: { type: 'integer', minimum, maximum },
    whenAbsent: undefined,
  }
}

/** A whole number in a JSON body. */
export function integer(minimum: number, maximum: number): Field<number> {
  return {
    read: (raw) =>
      typeof raw === 'number' && Number.isInteger(raw) && raw >= minimum && raw <= maximum ? raw : undefined,
    expectation: `a whole number from ${minimum} to ${maximum}`,
    schema: { type: 'integer', minimum, maximum },
    whenAbsent: undefined,
  }
}

/** Plain notation, in the regular expressions of JSON Schema. */
export const AMOUNT_PATTERN = '^(0|[1-9][0-9]{0,29})(\\.[0-9]{1,18})?$'

/** In plain notation. */
export const amountOrZero: Field<Amount> = {
  read: (raw) => (typeof raw === 'string' ? findAmount(raw) : undefined),
  expectation: 'a decimal string in plain notation, such as "12.5"',
  schema: { type: 'string', pattern: AMOUNT_PATTERN },
  whenAbsent: undefined,
}

/** More than zero, in plain notation. */
export const positiveAmount: Field<Amount> = {
  read: (raw) => {
    const value = typeof raw === 'string' ? findAmount(raw) : undefined
    return value?.gt(ZERO) ? value : undefined
  },
  expectation: 'a decimal string above zero in plain notation, such as "12.5"',
  schema: { type: 'string', pattern: AMOUNT_PATTERN },
  whenAbsent: undefined,
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** An ISO-8601 date (midnight UTC) or time with its zone, as epoch ms. */
export const isoTime: Field<number> = {
  read: (raw) => {
    if (typeof raw !== 'string' || !ISO_8601.test(raw)) return undefined
    const epochMs = Date.parse(raw)
    // Date.parse takes 30 February for 2 March; a day that does not exist is no date.
    const isDay =
      !Number.isNaN(epochMs) && new Date(`${raw.slice(0, 10)}T00:00Z`).toISOString().startsWith(raw.slice(0, 10))
    return isDay ? epochMs : undefined
  },
  expectation: 'an ISO-8601 date or time with its zone, such as "2026-01-31T09:00:00Z"',
  schema: { type: 'string', format: 'date-time' },
  whenAbsent: undefined,
}

export const side = oneOf('BUY', 'SELL')
export type Side = 'BUY' | 'SELL'

/** Units of the amounts; the service's default is rebased. */
export const assetFormat: Field<AssetFormat> = withDefault(oneOf('base', 'rebased'), 'rebased')
export type AssetFormat = 'base' | 'rebased'

export const assetCode = text(32)
export const opaqueId = text(256)
