// Defines the kinds of query parameters and body fields: one zod schema each. A schema checks the field, reads it (an
// amount, a moment), and describes it in the OpenAPI document and in refusals. Knows no route and no request.
import * as z from 'zod/mini'
import { amount, PLAIN_DECIMAL, ZERO } from './amount.ts'

/** All fields of one query or body, by name. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>
/** The same fields as one schema. */
export type Fields<S extends Shape = Shape> = z.ZodMiniObject<S, z.core.$strict>

/** @param expectation completes "<name>: expected …" */
export function expecting<F extends z.ZodMiniType>(expectation: string, field: F): F {
  z.globalRegistry.add(field, { description: expectation })
  return field
}

export const optional = z.exactOptional
/** A field with a default: when left out, it is read as if it held this value. */
export const withDefault = z.prefault

export function oneOf<const T extends string>(...allowed: readonly T[]) {
  return expecting(`one of ${allowed.join(', ')}`, z.enum(allowed))
}

/** Counts a character beyond U+FFFF twice, as the length of a string does. zod alone would count it once. */
function bounded(maxLength: number) {
  const isShort = z.refine<string>((text) => text.length <= maxLength)
  return z.string().check(z.minLength(1), z.maxLength(maxLength), isShort)
}

export function text(maxLength: number) {
  return expecting(`a string of 1 to ${maxLength} characters`, bounded(maxLength))
}

/** A name given by people. */
export const label = expecting(
  'a string of 1 to 128 characters, not blank and without control characters',
  bounded(128).check(z.regex(/^(?!\s*$)\P{Cc}*$/u)),
)

export function integer(minimum: number, maximum: number) {
  return expecting(`a whole number from ${minimum} to ${maximum}`, z.int().check(z.gte(minimum), z.lte(maximum)))
}

/** A whole number in a query string: plain digits only. */
export function wholeNumber(minimum: number, maximum: number) {
  const digits = z.transform((raw) => (typeof raw === 'string' && /^[0-9]{1,9}$/.test(raw) ? Number(raw) : raw))
  return expecting(`a whole number from ${minimum} to ${maximum}`, z.pipe(digits, integer(minimum, maximum)))
}

export const flag = expecting('true or false', z.boolean())

const decimal = z.pipe(z.string().check(z.regex(PLAIN_DECIMAL)), z.transform(amount))
export const amountOrZero = expecting('a decimal string in plain notation, such as "12.5"', decimal)
export const positiveAmount = expecting(
  'a decimal string above zero in plain notation, such as "12.5"',
  decimal.check(z.refine((value) => value.gt(ZERO))),
)

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** An ISO-8601 date (midnight UTC) or a time with its zone, read as epoch milliseconds. */
export const isoTime = expecting(
  'an ISO-8601 date or time with its zone, such as "2026-01-31T09:00:00Z"',
  z.pipe(
    z.string().check(z.regex(ISO_8601, { abort: true }), z.refine(isOfACalendarDay)),
    z.transform((time) => Date.parse(time)),
  ),
)

/** Date.parse reads 30 February as 2 March, so the day is compared. */
function isOfACalendarDay(time: string): boolean {
  const day = time.slice(0, 10)
  return !Number.isNaN(Date.parse(time)) && new Date(`${day}T00:00Z`).toISOString().startsWith(day)
}

export const side = oneOf('BUY', 'SELL')
export type Side = z.output<typeof side>

/** Units of the amounts. The service's default is rebased. */
export const assetFormat = withDefault(oneOf('base', 'rebased'), 'rebased')
export type AssetFormat = z.output<typeof assetFormat>

export const assetCode = text(32)
export const opaqueId = text(256)
