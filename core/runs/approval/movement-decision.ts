// Records a person's decision on a movement that waits by `guards.approval`. The record's key has the hash of the movement's
// terms, which is made here from the intent's record. It starts nothing and changes no intent: the step that sends reads the
// decisions the next time it runs.
import type { StandingDecision } from '../../contract/people.ts'
import { type IntentKind, IntentState } from '../../contract/records.ts'
import type { Treasury } from '../../contract/treasury.ts'
import { Refused } from '../../errors.ts'
import { type ApprovableMovement, type TouchedRule, touchedRules } from '../../guards/approval-rules.ts'
import { guardSets } from '../../guards/effective-guards.ts'
import { termsIn } from '../../guards/policy-terms.ts'
import { type Intent, isConversion, isOpened, type OpenIntent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { formatDecimal, parseDecimal, ZERO } from '../../money/decimal.ts'
import { approvableConversion } from '../../movements/conversion/convert-intent.ts'
import { assertFollows } from '../../movements/follows.ts'
import { approvableWithdrawal } from '../../movements/withdrawal/withdraw-intent.ts'
import type { AloneTerms } from './alone.ts'
import type { Decisions } from './decisions.ts'
import { countsAsApprover, decisionsOnMovement } from './decisions-on-movement.ts'
import { type Decision, findStanding, isPlanAboveTwo } from './standing.ts'

export interface MovementToDecide {
  readonly kind: IntentKind
  readonly intentId: string
  readonly termsHash: string
  /** Settled code. */
  readonly assetSymbol: string
  /** Settled units: the most that the movement sells or withdraws, fee included. */
  readonly most: string
  readonly rules: readonly TouchedRule[]
  readonly intent: OpenIntent
  /** The movement as it is compared with people's decisions. */
  readonly movement: ApprovableMovement & { readonly kind: IntentKind }
}

/** The deployed guards and policies. A policy that comes with its request has no rule on single movements. */
export type MovementRules = Pick<Treasury, 'guards' | 'policies'>

/** Undefined where the intent's state does not allow it, or no rule asks people. Pure. */
export function findMovementToDecide(intent: Intent, treasury: MovementRules): MovementToDecide | undefined {
  return intent.state === IntentState.Ready ? findRules(intent, treasury) : undefined
}

/** The rules that ask people about the intent, in whatever state; undefined where no rule does. Pure. */
export function findRules(intent: Intent, { guards, policies }: MovementRules): MovementToDecide | undefined {
  if (!isOpened(intent)) return undefined
  const approvable = isConversion(intent) ? approvableConversion(intent) : approvableWithdrawal(intent)
  const movement = { ...approvable, unitValues: approvable.shownValues }
  const { policy } = intent.params
  const sets = guardSets(guards, policy === undefined ? undefined : termsIn(policies, policy))
  const rules = touchedRules(sets, movement, movement.most ?? ZERO)
  if ('why' in rules || rules.length === 0 || movement.most === undefined) return undefined
  const { kind, intentId, termsHash, assetSymbol, most } = movement
  return { kind, intentId, termsHash, assetSymbol, most: formatDecimal(most), rules, intent, movement }
}

export interface MovementDecision extends Decision {
  readonly kind: IntentKind
  readonly intentId: string
  /** Hash of the terms that the person saw. */
  readonly termsHash: string
}

export interface MovementDecisionPorts {
  readonly journal: Pick<Journal, 'find'>
  readonly decisions: Decisions
  readonly treasury: MovementRules
}

export interface DecidedMovement {
  readonly decision?: 'approved' | 'rejected'
  readonly missing: number
  readonly words: readonly Decision[]
  /** Present where nothing was recorded, because this decision stands already. */
  readonly before?: StandingDecision
}

/**
 * @throws Refused where no rule asks people about it, or its record was changed.
 * @throws Transient, Defect
 */
export async function findAwaitingMovement(
  kind: IntentKind,
  intentId: string,
  { journal, treasury }: MovementDecisionPorts,
): Promise<MovementToDecide> {
  const intent = await journal.find(intentId, kind)
  if (intent === undefined) throw new Refused(`the journal has no intent ${intentId}`)
  const movement = findMovementToDecide(intent, treasury)
  if (movement === undefined) throw new Refused(`intent ${intentId} is ${intent.state}: it waits for no approval`)
  assertFollows(intent)
  return movement
}

/** @throws Refused with the reason why this person may not decide so on these terms */
export function assertDecidable(
  { rules, termsHash, intent }: MovementToDecide,
  decision: Pick<MovementDecision, 'decision' | 'termsHash' | 'at'> & Partial<Pick<MovementDecision, 'by'>>,
): void {
  const { intentId, notAfter } = intent
  if (termsHash !== decision.termsHash)
    throw new Refused(`intent ${intentId} has other terms than you have seen; read them again`)
  if (Date.parse(decision.at) >= Date.parse(notAfter))
    throw new Refused(`the time of intent ${intentId} ended at ${notAfter}`)
  const { by } = decision
  if (decision.decision === 'approved' && by !== undefined && !countsAsApprover(by, rules))
    throw new Refused(
      `intent ${intentId} cannot be approved so: ${by} is not among the approvers of ${rules[0]?.field}`,
    )
}

/**
 * The terms under which one person alone may approve. Undefined where no rule needs a second person at any value, or one needs
 * a second person anyway.
 */
export function aloneTermsOfMovement({ rules }: MovementToDecide, words: readonly Decision[]): AloneTerms | undefined {
  const isForTwo = rules.some(({ rule, value }) => isPlanAboveTwo({ approval: rule, turnover: value }))
  if (isForTwo || words.some(({ secondBecause }) => secondBecause !== undefined)) return undefined
  const [tightest] = rules
    .flatMap(({ rule: { twoAbove }, value, valuationAsset }) =>
      twoAbove === undefined ? [] : [{ value, asset: valuationAsset, twoAbove }],
    )
    .sort((left, right) =>
      parseDecimal(left.twoAbove, 'twoAbove') < parseDecimal(right.twoAbove, 'twoAbove') ? -1 : 1,
    )
  return tightest
}

/** As `findBefore` for a plan. Pure. */
export function findMovementBefore(
  known: readonly Decision[],
  { rules }: MovementToDecide,
  { decision, by }: Pick<Decision, 'decision' | 'by'>,
): StandingDecision | undefined {
  const same = known.filter((each) => each.decision === decision)
  return findStanding(by, same, decisionsOnMovement(known, rules).decision === decision ? same.at(-1) : undefined)
}

/** Records the decision, unless the same one stands already. @throws Refused with the reason; Transient; Defect */
export async function decideMovement(
  { kind, intentId, termsHash, ...word }: MovementDecision,
  ports: MovementDecisionPorts,
): Promise<DecidedMovement> {
  const movement = await findAwaitingMovement(kind, intentId, ports)
  assertDecidable(movement, { ...word, termsHash })
  const terms = { kind, intentId, termsHash }
  const known = await ports.decisions.findOfMovement(terms)
  const standing = decisionsOnMovement(known, movement.rules)
  const { decision } = standing
  if (decision !== undefined && decision !== word.decision)
    throw new Refused(`intent ${intentId} is already ${decision}`)
  const before = findMovementBefore(known, movement, word)
  if (before !== undefined) return { ...standing, words: known, before }
  const alone = word.decision === 'approved' ? aloneTermsOfMovement(movement, known) : undefined
  const words = await ports.decisions.addOfMovement(terms, word, alone)
  return { ...decisionsOnMovement(words, movement.rules), words }
}
