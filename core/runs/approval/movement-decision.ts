// What a person decides on a movement that waits by `guards.approval`: recorded under the hash of its terms, which is made
// here from the intent's record. Starts nothing and changes no intent: the step that sends judges by the words when it
// looks next.
import type { FrozenGuards, Guards } from '../../contract/guards.ts'
import { type IntentKind, IntentState } from '../../contract/records.ts'
import { Refused } from '../../errors.ts'
import { type ApprovableMovement, type TouchedRule, touchedRules } from '../../guards/approval-rules.ts'
import { guardSets } from '../../guards/frozen-guards.ts'
import { type Intent, isConversion, isOpened, type OpenIntent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { formatDecimal, parseDecimal, ZERO } from '../../money/decimal.ts'
import { approvableConversion } from '../../movements/conversion/convert-intent.ts'
import { assertFollows } from '../../movements/follows.ts'
import { approvableWithdrawal } from '../../movements/withdrawal/withdraw-intent.ts'
import type { AloneTerms } from './alone.ts'
import type { Decisions } from './decisions.ts'
import { countsAsApprover, movementStanding } from './movement-words.ts'
import { isPlanAboveTwo, type Word } from './standing.ts'

/** A movement that a rule asks people about, with what they have said of its terms. */
export interface AskedMovement {
  readonly kind: IntentKind
  readonly intentId: string
  readonly termsHash: string
  /** Settled code. */
  readonly assetSymbol: string
  /** Settled units that it gives up at most, fee included. */
  readonly most: string
  readonly rules: readonly TouchedRule[]
  readonly intent: OpenIntent
  /** As it is held against what people said. */
  readonly movement: ApprovableMovement & { readonly kind: IntentKind }
}

/** Undefined where its state, or no rule, asks for people. Pure. */
export function findAskedMovement(intent: Intent, everywhere: Guards): AskedMovement | undefined {
  if (intent.state !== IntentState.Ready || !isOpened(intent)) return undefined
  const frozen: { readonly guards?: FrozenGuards } = intent.frozen
  const { unitValues, policy } = frozen.guards ?? {}
  const movement = {
    ...(isConversion(intent) ? approvableConversion(intent) : approvableWithdrawal(intent)),
    unitValues,
  }
  const rules = touchedRules(guardSets(everywhere, policy), movement, movement.most ?? ZERO)
  if ('why' in rules || rules.length === 0 || movement.most === undefined) return undefined
  const { kind, intentId, termsHash, assetSymbol, most } = movement
  return { kind, intentId, termsHash, assetSymbol, most: formatDecimal(most), rules, intent, movement }
}

export interface MovementDecision extends Word {
  readonly kind: IntentKind
  readonly intentId: string
  /** The terms that the person saw. */
  readonly termsHash: string
}

export interface MovementDecisionPorts {
  readonly journal: Pick<Journal, 'find'>
  readonly decisions: Decisions
  /** Of the deployment. */
  readonly everywhere: Guards
}

export interface DecidedMovement {
  readonly decision?: 'approved' | 'rejected'
  /** How many more people must approve. */
  readonly missing: number
  readonly words: readonly Word[]
}

/** @throws Refused where nobody is asked about it, or its record was changed. @throws Transient, Defect */
export async function findAwaitingMovement(
  kind: IntentKind,
  intentId: string,
  { journal, everywhere }: Pick<MovementDecisionPorts, 'journal' | 'everywhere'>,
): Promise<AskedMovement> {
  const intent = await journal.find(intentId, kind)
  if (intent === undefined) throw new Refused(`the journal has no intent ${intentId}`)
  const asked = findAskedMovement(intent, everywhere)
  if (asked === undefined) throw new Refused(`intent ${intentId} is ${intent.state}: it waits for no approval`)
  assertFollows(intent)
  return asked
}

/** @throws Refused with why this person may not decide so on these terms */
export function assertDecidable(
  { rules, termsHash, intent }: AskedMovement,
  decision: Pick<MovementDecision, 'decision' | 'termsHash' | 'at'> & Partial<Pick<MovementDecision, 'by'>>,
): void {
  const { intentId, notAfter } = intent
  if (termsHash !== decision.termsHash)
    throw new Refused(`intent ${intentId} has other terms than those that were looked at; look again`)
  if (Date.parse(decision.at) >= Date.parse(notAfter))
    throw new Refused(`the time of intent ${intentId} ended at ${notAfter}`)
  const { by } = decision
  if (decision.decision === 'approved' && by !== undefined && !countsAsApprover(by, rules))
    throw new Refused(`intent ${intentId} cannot be approved so: ${by} is none of the approvers of ${rules[0]?.field}`)
}

/** Under which terms one person alone may approve it; undefined where no rule asks for a second person at any value, or one does anyway. */
export function aloneTermsOfMovement({ rules }: AskedMovement, words: readonly Word[]): AloneTerms | undefined {
  const isForTwo = rules.some(({ rule, value }) => isPlanAboveTwo({ approval: rule, turnover: value }))
  if (isForTwo || words.some(({ secondBecause }) => secondBecause !== undefined)) return undefined
  const [tightest] = rules
    .flatMap(({ rule: { twoAbove }, value, valuationAsset }) =>
      twoAbove === undefined ? [] : [{ value, asset: valuationAsset, twoAbove }],
    )
    .sort((one, other) => (parseDecimal(one.twoAbove, 'twoAbove') < parseDecimal(other.twoAbove, 'twoAbove') ? -1 : 1))
  return tightest
}

/** Records the word. The same decision again changes nothing. @throws Refused with why not; Transient; Defect */
export async function decideMovement(
  { kind, intentId, termsHash, ...word }: MovementDecision,
  ports: MovementDecisionPorts,
): Promise<DecidedMovement> {
  const asked = await findAwaitingMovement(kind, intentId, ports)
  assertDecidable(asked, { ...word, termsHash })
  const of = { kind, intentId, termsHash }
  const known = await ports.decisions.findOfMovement(of)
  const { decision } = movementStanding(known, asked.rules)
  if (decision !== undefined && decision !== word.decision)
    throw new Refused(`intent ${intentId} is already ${decision}`)
  if (decision !== undefined) return { decision, missing: 0, words: known }
  const alone = word.decision === 'approved' ? aloneTermsOfMovement(asked, known) : undefined
  const words = await ports.decisions.addOfMovement(of, word, alone)
  return { ...movementStanding(words, asked.rules), words }
}
