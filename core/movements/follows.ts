// Checks whether the terms of an intent follow from what was asked for. The steps that send check it before they continue. The
// audit, `journal verify` and `proof make` check it later, so that a changed record shows. Values that only the service knows,
// such as a fee or a rate, follow from no request: core/journal/terms.ts guards those. Reads at most who claims a movement.

import { sameCode } from '../contract/fields.ts'
import { hasLabel } from '../contract/payee.ts'
import { IntentState } from '../contract/records.ts'
import { Defect } from '../errors.ts'
import { type Intent, isConversion, isOpened, type OpenConversion, type OpenWithdrawal } from '../journal/intent.ts'
import { hasParams, type Journal } from '../journal/journal.ts'
import { quantiseAmountDown, settledAmount } from '../money/amount.ts'
import { parseDecimal, plus } from '../money/decimal.ts'
import { isNamed } from './conversion/as-requested.ts'
import { SUB_TYPES } from './withdrawal/payee.ts'

type Rule = readonly [field: string, follows: boolean]

/**
 * The first field of an intent's record that does not follow from what was asked for; undefined where all do. An intent that
 * ended before it was armed may have no terms: then only its params are compared with their hash.
 */
export function findUnfollowed(intent: Intent): string | undefined {
  const rules = [...rulesOfEach(intent), ...(isOpened(intent) ? rulesOfKind(intent) : [])]
  return rules.find(([, follows]) => !follows)?.[0]
}

/**
 * `request`: the execution's own input.
 * @throws Defect where the record does not follow from it: no step may continue from such a record
 */
export function assertAsRequested(intent: Intent, request: unknown): void {
  assertFollowed(intent, hasParams(intent, request) ? findUnfollowed(intent) : 'params')
}

/** For a reader without the execution's input: compares the terms with the record's own params. @throws Defect */
export function assertFollows(intent: Intent): void {
  assertFollowed(intent, findUnfollowed(intent))
}

/**
 * For a reader of an intent that is DONE.
 * @throws Defect where `findUnproven` finds a contradiction.
 * @throws Transient
 */
export async function assertClaimed(intent: Intent, journal: Pick<Journal, 'findClaim'>): Promise<void> {
  const { kind, ref, state } = intent
  const holder = state === IntentState.Done && ref !== undefined ? await journal.findClaim(kind, ref) : undefined
  const unproven = findUnproven(intent, holder)
  if (unproven !== undefined) throw new Defect(unproven)
}

/**
 * Why an intent cannot be DONE as its record says; undefined where it is not DONE, or is DONE by its own movement. `holder`:
 * the intent that has claimed the movement. Nobody makes an intent DONE without a claim of its own.
 */
export function findUnproven(intent: Intent, holder: string | undefined): string | undefined {
  const { intentId, ref, state } = intent
  if (state !== IntentState.Done) return undefined
  if (!hasProof(intent)) return `${changed(intentId)}: its state is not as it was asked for`
  if (ref === undefined) return `${changed(intentId)}: it is DONE by no movement`
  if (holder === intentId) return undefined
  const claim = holder === undefined ? 'has no claim' : `is claimed by intent ${holder}`
  return `${changed(intentId)}: its movement ${ref} ${claim}`
}

function assertFollowed(intent: Intent, field: string | undefined): void {
  if (field === undefined) return
  throw new Defect(`${changed(intent.intentId)}: its ${field} is not as it was asked for`)
}

function changed(intentId: string): string {
  return `the record of intent ${intentId} was changed, and nothing goes on from it`
}

function rulesOfEach(intent: Intent): Rule[] {
  return [['params', hasParams(intent, intent.params)]]
}

/** A step makes an intent DONE only from ARMED, a person by a resolution, and a rebuild by saying why. */
function hasProof({ attempt, resolution, why }: Intent): boolean {
  return attempt !== undefined || resolution !== undefined || why !== undefined
}

function rulesOfKind(intent: OpenConversion | OpenWithdrawal): Rule[] {
  const { params, frozen, notAfter } = intent
  return [
    ['notAfter', params.notAfter === undefined || params.notAfter === notAfter],
    ['frozen.amount', isRoundedDown(params.amount, frozen)],
    ...(isConversion(intent) ? rulesOfConversion(intent) : rulesOfWithdrawal(intent)),
  ]
}

/** The slippage may be tighter than was asked for: a guard can tighten it. */
function rulesOfConversion({ params, frozen }: OpenConversion): Rule[] {
  const { maxSlippageBps: asked } = params
  const { maxSlippageBps: most, referenceRate } = frozen
  const hasNoPrice = most !== undefined && referenceRate === undefined && /[1-9]/.test(frozen.amount)
  return [
    ['frozen.baseAsset', isNamed(params.baseAsset, frozen.baseAsset)],
    ['frozen.quoteAsset', isNamed(params.quoteAsset, frozen.quoteAsset)],
    ['frozen.maxSlippageBps', asked === undefined || (most !== undefined && most <= asked)],
    ['frozen.referenceRate', !hasNoPrice],
  ]
}

function rulesOfWithdrawal({ params, frozen }: OpenWithdrawal): Rule[] {
  const { payee, feeMode, subTypes } = frozen
  const { contactReference, contactId = frozen.contactId, most } = params
  const amount = parseDecimal(frozen.amount, 'amount')
  const fee = parseDecimal(frozen.fee, 'fee')
  const total = parseDecimal(frozen.total, 'total')
  const allowed = SUB_TYPES[payee.type] ?? []
  return [
    ['frozen.assetSymbol', sameCode(frozen.assetSymbol, params.assetSymbol)],
    ['frozen.feeMode', feeMode === (params.feeMode ?? 'deduct')],
    ['frozen.contactId', frozen.contactId === contactId],
    ['frozen.payee', payee.contactId === frozen.contactId && hasLabel(contactReference, payee)],
    ['frozen.subTypes', subTypes.length === allowed.length && allowed.every((type) => subTypes.includes(type))],
    ['frozen.networkId', frozen.networkId === (payee.type === 'EXTERNAL_CRYPTO' ? payee.networkId : null)],
    ['frozen.fee', payee.type === 'EXTERNAL_CRYPTO' || fee === 0n],
    ['frozen.total', total === (feeMode === 'deduct' ? amount : plus(amount, fee))],
    ['frozen.total', most === undefined || total <= parseDecimal(most, 'most')],
  ]
}

function isRoundedDown(
  requested: string,
  { amount, increment }: Pick<OpenWithdrawal['frozen'], 'amount' | 'increment'>,
): boolean {
  const step = parseDecimal(increment, 'increment')
  if (step <= 0n) return false
  return parseDecimal(amount, 'amount') === quantiseAmountDown(settledAmount('', requested, 'amount'), step).value
}
