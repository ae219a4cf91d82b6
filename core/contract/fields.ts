// Schemas of single fields that more than one state machine's input or output holds.
import * as z from 'zod/mini'
import { AMOUNT_EXPECTATION, AMOUNT_PATTERN } from './amount.ts'

/** In JSON it can be a key; in a record it would be lost, or be the record's kind. */
export const PROTOTYPE_KEY = '__proto__'
/** What every object inherits: looked up by such a name, a record would answer with what nobody put there. */
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
/** Bounded, because nothing else bounds the digits of a second's fraction. */
export const isoTime = z.iso
  .datetime({ offset: true, error: TIME_EXPECTATION })
  .check(z.maxLength(40, TIME_EXPECTATION))
export const opaqueId = z.string().check(z.minLength(1), z.maxLength(256))
/** Of a contact, at the service. */
export const contactId = opaqueId.check(ownName)

/** SHA-256 of the terms that a step has settled, hex: core/journal/terms.ts makes it. */
export const termsHash = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 as hex'))

/** Of AWS Secrets Manager. */
export const secretName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9/_+=.@-]{1,256}$/, 'a Secrets Manager name (letters, digits and /_+=.@-)'))

/** Names the intent's executions, so it keeps to what Step Functions allows and logs in a name. */
export const intentId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,76}$/, 'at most 76 letters, digits and dashes'))

/**
 * An execution is named after its intent; one that enters the same intent again (after a halt, say)
 * adds `_2`, `_3` and so on. Any other name is refused, so that no two intents are taken for one.
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
 * Hex digits, behind a dash, at the end of the name of an execution that a schedule, an event or a deposit starts: with a
 * policy's name of 48 letters within the 76 of an intent's id; 104 bits, which no chance repeats.
 */
export const STARTED_DIGITS = 26

/** The intent of an execution with a name that is one. */
export function intentIdOf(executionName: string): string {
  return executionName.split('_', 1)[0] ?? executionName
}

/** Name of the `entry`-th execution of an intent, counting from 1. */
export function entryName(intentId: string, entry: number): string {
  return entry === 1 ? intentId : `${intentId}_${entry}`
}

/** Which of the intent's executions this is, counting from 1: the number behind its name. */
export function entryOf(executionName: string): number {
  const [, entry] = executionName.split('_', 2)
  return entry === undefined ? 1 : Number(entry)
}

/** Times that one intent may be entered. */
export const MOST_ENTRIES = 99

/** A policy's name in treasury.json. */
export const policyName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]{0,47}$/, 'at most 48 lower-case letters, digits and dashes'), ownName)

/** The service matches asset codes case-insensitively. */
export function sameCode(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

/**
 * Whether two codes may be of one asset, where its spellings are not known: the settled code of an equity begins with its
 * ticker. In doubt the answer is yes.
 */
export function mayNameSame(left: string, right: string): boolean {
  const [one, other] = [left.trim().toLowerCase(), right.trim().toLowerCase()]
  return one.startsWith(other) || other.startsWith(one)
}

/** Whether a row or an order names an asset or a market by one of `names`, however it is spelled: in any case, and padded. */
export function isNamedAs(named: string, names: readonly string[]): boolean {
  return names.some((name) => sameCode(name, named.trim()))
}

/** How the service calls an asset: by its settled code or its ticker. */
export interface NamesOfAsset {
  readonly assetSymbol: string
  readonly rebasedSymbol: string
}

/**
 * Whether a row or an order that says `named` may be of the asset `code`, by the names of all assets. In doubt the answer is
 * yes: where it says nothing, or a name that none of them has.
 */
export function mayNameAsset(named: string | null, code: string, assets: readonly NamesOfAsset[]): boolean {
  const isOf = (name: string) => (asset: NamesOfAsset) => isNamedAs(name, [asset.assetSymbol, asset.rebasedSymbol])
  const name = named?.trim() ?? ''
  if (name === '' || sameCode(name, code)) return true
  const called = assets.filter(isOf(name))
  return called.length === 0 || called.some(isOf(code))
}

/** Whether an order that names its market so may be in the market of two assets. In doubt the answer is yes. */
export function mayNameMarket(
  named: string,
  [base, quote]: readonly [string, string],
  assets: readonly NamesOfAsset[],
): boolean {
  const [ofBase = '', ofQuote = '', ...others] = named.split('-')
  return others.length > 0 || (mayNameAsset(ofBase, base, assets) && mayNameAsset(ofQuote, quote, assets))
}

/** With RECORDED, where the step refused the intent itself. It is for people's words: no step goes by it. */
export const refusedNow = z.object({
  /** This execution opened the intent. */
  isFirstUse: z.boolean(),
  /** No attempt of the intent was ever armed. */
  isUnsent: z.boolean(),
})
export type RefusedNow = z.infer<typeof refusedNow>
