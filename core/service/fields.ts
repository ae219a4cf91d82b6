// Owns the spelling of the fields that answers are made of. Figures stay the strings they are:
// a JSON number, a sign where none is promised or an exponent is a broken promise. Fields that
// nobody asked for are left out; sets that the service may extend stay open.
import * as z from 'zod/mini'
import { AMOUNT_EXPECTATION, AMOUNT_PATTERN } from '../contract/amount.ts'
import { amountText, isoTime, opaqueId } from '../contract/fields.ts'
import { Refused } from '../errors.ts'

/** A positive magnitude (section "General conventions"). */
export const amount = amountText
export const id = opaqueId

/** An amount that is more than zero: an increment, a rate. */
export const positiveAmount = amountText.check(
  z.refine((text) => /[1-9]/.test(text), { error: 'a decimal string of more than zero' }),
)

/** Throws Refused, before anything leaves, for an amount to be sent that is not a decimal string of more than zero. */
export function checkAmount(value: string, field: string): void {
  if (!AMOUNT_PATTERN.test(value) || !/[1-9]/.test(value))
    throw new Refused(`${field}: expected ${AMOUNT_EXPECTATION}, of more than zero`)
}

/** A position or its valuation: the ledger may allow less than zero. */
export const signedAmount = z
  .string()
  .check(
    z.regex(
      /^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/,
      'a plain decimal string, with a minus sign when it is negative',
    ),
  )

/** A rebase factor. Never truncated by the service, so finer than an amount may be. */
export const multiplier = z.string().check(z.regex(/^(0|[1-9][0-9]{0,29})(\.[0-9]{1,100})?$/, 'a plain decimal string'))

/** A code of the service. */
export const text = z.string().check(z.maxLength(512))
export const textOrNull = z.nullable(text)

/**
 * A name that people chose. Nothing is decided by it, and one that is long beyond reason must not make the list in which
 * it stands unreadable.
 */
export const label = z.string().check(z.maxLength(65_536))
export const labelOrNull = z.nullable(label)

/** A field that nobody promised: null when it is absent or of another shape. */
export function ifPresent<Shape extends z.ZodMiniType>(shape: Shape) {
  return z.catch(z.nullable(shape), null)
}

/** ISO-8601 with its zone. */
export const instant = isoTime

const count = z.int().check(z.gte(0))

/** The envelope of every other list. */
export function page<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    data: z.array(item),
    pagination: z.object({ page: count, limit: count, totalItems: count, totalPages: count }),
  })
}

/** The envelope of the two fills endpoints. */
export function cursorPage<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    data: z.array(item),
    pagination: z.object({
      count,
      nextCursor: z.nullable(z.string().check(z.minLength(1), z.maxLength(2048))),
    }),
  })
}
