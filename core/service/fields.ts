// Owns the schemas of the fields in the service's answers. Figures stay strings: a JSON number, an unexpected sign or
// an exponent is a Defect. Unknown fields are dropped, and sets that the service may extend stay open. Every movement
// and position has two representations (section "assetFormat"): Sluice calculates in settled units, from the `base`
// block, and keeps rebased figures, which are for people, apart under `rebased`.
import * as z from 'zod/mini'
import { AMOUNT_EXPECTATION, AMOUNT_PATTERN, UNREADABLE } from '../contract/amount.ts'
import { amountText, isoTime, opaqueId } from '../contract/fields.ts'
import { Refused } from '../errors.ts'

/** A decimal string without a sign (section "General conventions"). */
export const amount = amountText
export const id = opaqueId

/** An amount above zero, such as an increment or a rate. */
export const positiveAmount = amountText.check(
  z.refine((text) => /[1-9]/.test(text), { error: 'a decimal string of more than zero' }),
)

/** Throws Refused before anything is sent, unless `value` is a decimal string above zero. */
export function checkAmount(value: string, field: string): void {
  if (!AMOUNT_PATTERN.test(value) || !/[1-9]/.test(value))
    throw new Refused(`${field}: expected ${AMOUNT_EXPECTATION}, of more than zero`)
}

/** A position or its valuation. It may be below zero. */
export const signedAmount = z
  .string()
  .check(
    z.regex(
      /^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/,
      'a plain decimal string, with a minus sign when it is negative',
    ),
  )

/**
 * A figure of a list, which hides no other entry: a text in another notation, such as `0E-8`, stays, and is marked. It is short,
 * of letters and digits, so it can be shown.
 */
function listed(figure: z.ZodMiniType<string>) {
  return z.pipe(
    z.string().check(z.regex(/^[-+.,0-9A-Za-z]{1,64}$/, 'a short text of letters and digits')),
    z.transform((shown) => (figure.safeParse(shown).success ? shown : `${UNREADABLE}${shown}`)),
  )
}

export const heldAmount = listed(signedAmount)
export const listedAmount = listed(amount)
export const listedIncrement = listed(positiveAmount)

/** A rebase factor. The service never truncates it, so it may be finer than an amount. */
export const multiplier = z.string().check(z.regex(/^(0|[1-9][0-9]{0,29})(\.[0-9]{1,100})?$/, 'a plain decimal string'))

/** A code of the service, at most 512 characters. */
export const text = z.string().check(z.maxLength(512))
export const textOrNull = z.nullable(text)

/**
 * A name that people chose. Nothing is decided by it. The bound is wide, so that a very long name does not make its
 * whole list unreadable.
 */
export const label = z.string().check(z.maxLength(65_536))
export const labelOrNull = z.nullable(label)

/** A field without a promise: null when it is absent or has another shape. */
export function ifPresent<Shape extends z.ZodMiniType>(shape: Shape) {
  return z.catch(z.nullable(shape), null)
}

/** ISO-8601 with a time zone. */
export const instant = isoTime

const count = z.int().check(z.gte(0))

/** The envelope of every list by page number. */
export function page<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    data: z.array(item),
    pagination: z.object({ page: count, limit: count, totalItems: count, totalPages: count }),
  })
}

/** The envelope of the two fills endpoints, which page by cursor. */
export function cursorPage<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    data: z.array(item),
    pagination: z.object({
      count,
      nextCursor: z.nullable(z.string().check(z.minLength(1), z.maxLength(2048))),
    }),
  })
}

/** How a resource is requested, the shape of the answer, and how the client shows it. */
export interface View<Raw, Shown> {
  readonly assetFormat: 'base' | 'rebased'
  readonly shape: z.ZodMiniType<Raw>
  readonly pageShape: ReturnType<typeof page<z.ZodMiniType<Raw>>>
  readonly cursorPageShape: ReturnType<typeof cursorPage<z.ZodMiniType<Raw>>>
  show(raw: Raw): Shown
}

/** With `base` only the settled figures are read. The top-level figures would be equal. */
export function viewOf<Raw, Shown>(
  assetFormat: 'base' | 'rebased',
  shape: z.ZodMiniType<Raw>,
  show: (raw: Raw) => Shown,
): View<Raw, Shown> {
  return { assetFormat, shape, pageShape: page(shape), cursorPageShape: cursorPage(shape), show }
}

/** The assetFormat that a rebased answer must have. In other units its figures would be shown wrongly. */
export const isRebased = z.literal('rebased')
