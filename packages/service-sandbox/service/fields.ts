// What a query parameter or a body field may be: one zod schema each. The schema checks the field, reads it (an amount,
// a moment), and describes it in the OpenAPI document. Its description also completes the refusal of a wrong value.
// Knows no route and no request.
import * as z from 'zod/mini'
import { amount, PLAIN_DECIMAL, ZERO } from './amount.ts'

/** The fields of one query or body, by name. There are no others. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>
/** The same as one schema. */
export type Fields<S extends Shape = Shape> = z.ZodMiniObject<S, z.core.$strict>

/** @param expectation completes "<name>: expected …" */
export function expecting<F extends z.ZodMiniType>(expectation: string, field: F): F {
  z.globalRegistry.add(field, { description: expectation })
  return field
}

/** A field that may be left out. */
export const optional = z.exactOptional
/** A field that may be left out, and then is read as if it held this. */
export const withDefault = z.prefault

export function oneOf<const T extends string>(...allowed: readonly T[]) {
  return expecting(`one of ${allowed.join(', ')}`, z.enum(allowed))
}

/** A character beyond U+FFFF counts twice, as in the length of a string. zod alone would count it once. */
function bounded(maxLength: number) {
  const isShort = z.refine<string>((text) => text.length <= maxLength)
  return z.string().check(z.minLength(1), z.maxLength(maxLength), isShort)
}

export function text(maxLength: number) {
  return expecting(`a string of 1 to ${maxLength} characters`, bounded(maxLength))
}

/** A name that people give. */
export const label = expecting(
  'a string of 1 to 128 characters, not blank and without control characters',
  bounded(128).check(z.regex(/^(?!\s*$)\P{Cc}*$/u)),
)

/** A whole number in a JSON body. */
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

/** An ISO-8601 date (midnight UTC) or time with its zone, read as epoch ms. */
export const isoTime = expecting(
  'an ISO-8601 date or time with its zone, such as "2026-01-31T09:00:00Z"',
  z.pipe(
    z.string().check(z.regex(ISO_8601, { abort: true }), z.refine(isOfACalendarDay)),
    z.transform((time) => Date.parse(time)),
  ),
)

/** Date.parse takes 30 February for 2 March; a day that does not exist is no date. */
function isOfACalendarDay(time: string): boolean {
  const day = time.slice(0, 10)
  return !Number.isNaN(Date.parse(time)) && new Date(`${day}T00:00Z`).toISOString().startsWith(day)
}

export const side = oneOf('BUY', 'SELL')
export type Side = z.output<typeof side>

/** Units of the amounts; the service's default is rebased. */
export const assetFormat = withDefault(oneOf('base', 'rebased'), 'rebased')
export type AssetFormat = z.output<typeof assetFormat>

export const assetCode = text(32)
export const opaqueId = text(256)
