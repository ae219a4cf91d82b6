// Owns the fields that several inputs, outputs and records share, and the rules for names and asset codes.
import * as z from 'zod/mini'
import { AMOUNT_EXPECTATION, AMOUNT_PATTERN } from './amount.ts'

/** JSON may contain this key. Written into an object it is lost, or sets the object's prototype. */
export const PROTOTYPE_KEY = '__proto__'
/** Refuses names that every object inherits: a lookup by such a name would return a value that nobody recorded. */
const ownName = z.refine<string>((name) => !(name in {}), {
  error: ({ input }) => (typeof input === 'string' ? `another name than "${input}"` : undefined),
})

export const amountText = z.string().check(z.regex(AMOUNT_PATTERN, AMOUNT_EXPECTATION))
export const assetCode = z
  .string()
  .check(
    z.regex(/^[A-Za-z0-9._-]{1,32}$/, 'an asset code such as "BTC" (at most 32 letters, digits, dots, dashes)'),
    ownName,
  )
const TIME_EXPECTATION = 'an ISO-8601 time with its zone, such as "2026-01-31T09:00:00Z"'
/** Length is bounded because nothing else bounds the digits of a second's fraction. */
export const isoTime = z.iso
  .datetime({ offset: true, error: TIME_EXPECTATION })
  .check(z.maxLength(40, TIME_EXPECTATION))
export const opaqueId = z.string().check(z.minLength(1), z.maxLength(256))
export const contactId = opaqueId.check(ownName)

/** SHA-256 of the terms that a step has settled, as hex. core/journal/terms.ts computes it. */
export const termsHash = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 as hex'))

/** The id that a person gives to `sluice run`. Lists show it, so it never holds a secret. */
export const ownId = z
  .string()
  .check(z.regex(/^\P{Cc}{1,200}$/u, 'an id of 1 to 200 characters, without control characters'))

export const secretName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9/_+=.@-]{1,256}$/, 'a Secrets Manager name (letters, digits and /_+=.@-)'))

/** The names of the intent's executions begin with it, so it has only characters that Step Functions allows. */
export const intentId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,76}$/, 'at most 76 letters, digits and dashes'))

/**
 * An execution has the name of its intent. An execution that enters the same intent again, for example after a halt,
 * appends `_2`, `_3` and so on. Any other name is refused, so that two intents are never confused.
 */
export const executionName = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9-]{1,76}(_([2-9]|[1-9][0-9]))?$/,
      'an execution named after its intent (at most 76 letters, digits and dashes), or that with _2 to _99 to enter it again',
    ),
  )

/**
 * Number of hex digits, after a dash, at the end of an execution's name that a schedule, an event or a deposit starts.
 * With a policy's name of 48 letters it fits the 76 of an intent's id. Its 104 bits do not repeat by chance.
 */
export const STARTED_DIGITS = 26

/** The intent of an execution with a valid name. */
export function intentIdOf(executionName: string): string {
  return executionName.split('_', 1)[0] ?? executionName
}

/** Name of the `entry`-th execution of an intent, counted from 1. */
export function entryName(intentId: string, entry: number): string {
  return entry === 1 ? intentId : `${intentId}_${entry}`
}

/** The number of this execution among the intent's executions, counted from 1. */
export function entryOf(executionName: string): number {
  const [, entry] = executionName.split('_', 2)
  return entry === undefined ? 1 : Number(entry)
}

/** Maximum entries of one intent. The name of an execution has room for two digits. */
export const MOST_ENTRIES = 99

export const policyName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]{0,47}$/, 'at most 48 lower-case letters, digits and dashes'), ownName)

/** Compares two asset codes without regard to case, as the service does. */
export function sameCode(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

/**
 * Whether two codes may name the same asset when its spellings are unknown. The settled code of an equity begins with
 * its ticker, so a common beginning suffices. In doubt the answer is yes.
 */
export function mayNameSame(left: string, right: string): boolean {
  const [first, second] = [left.trim().toLowerCase(), right.trim().toLowerCase()]
  return first.startsWith(second) || second.startsWith(first)
}

/** Whether a row or an order uses one of `names` for an asset or a market, in any case and with spaces around it. */
export function isNamedAs(named: string, names: readonly string[]): boolean {
  return names.some((name) => sameCode(name, named.trim()))
}

/** The two names that the service uses for an asset: its settled code and its ticker. */
interface NamesOfAsset {
  readonly assetSymbol: string
  readonly rebasedSymbol: string
}

/**
 * Whether a row or an order with the label `named` may be of the asset `code`, by the names of all assets. In doubt the
 * answer is yes: for an empty label, or a label that no asset has.
 */
export function mayNameAsset(named: string | null, code: string, assets: readonly NamesOfAsset[]): boolean {
  const isOf = (name: string) => (asset: NamesOfAsset) => isNamedAs(name, [asset.assetSymbol, asset.rebasedSymbol])
  const name = named?.trim() ?? ''
  if (name === '' || sameCode(name, code)) return true
  const called = assets.filter(isOf(name))
  return called.length === 0 || called.some(isOf(code))
}

/** Whether an order with this market label may be in the market of the two assets. In doubt the answer is yes. */
export function mayNameMarket(
  named: string,
  [base, quote]: readonly [string, string],
  assets: readonly NamesOfAsset[],
): boolean {
  const [baseName = '', quoteName = '', ...others] = named.split('-')
  return others.length > 0 || (mayNameAsset(baseName, base, assets) && mayNameAsset(quoteName, quote, assets))
}

/** With RECORDED: facts about a refusal by the step itself. Only texts for people use them; no step decides by them. */
export const refusedNow = z.object({
  /** This execution opened the intent. */
  isFirstUse: z.boolean(),
  /** No attempt of the intent was ever armed. */
  isUnsent: z.boolean(),
})
export type RefusedNow = z.infer<typeof refusedNow>
