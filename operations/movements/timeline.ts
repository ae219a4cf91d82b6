// Puts all that is known of one intent into facts, in order: the request, its executions, its record, its end, and
// where the money is. Pure.
import { convertReport } from '../../core/contract/convert.ts'
import { IntentState } from '../../core/contract/records.ts'
import type { SettledLeg } from '../../core/contract/runs.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { withdrawReport } from '../../core/contract/withdraw.ts'
import { type Intent, isLost, isOpened } from '../../core/journal/intent.ts'
import { type ExecutionHistory, reportedAt } from '../../place/executions/execution-history.ts'
import { requestText } from '../words/request-words.ts'
import { answeredOf, doubtOf, isOrder, movementOf, numberOf, quotedOf, sentOf } from './attempt-facts.ts'
import { isSeen } from './attention.ts'
import type { Fact, RequestedFact, SettledFact, ZeroFact } from './facts.ts'
import { factsOfHistories, type HistoryFacts } from './history-facts.ts'

export interface KnownOfIntent {
  readonly intent: Intent
  /** Oldest first. Empty where no history is kept any longer. */
  readonly histories: readonly ExecutionHistory[]
  /** False where they could not be read. */
  readonly areHistoriesRead?: boolean
  readonly timing: Timing
  /** The holder of the claim on the movement. */
  readonly claimedBy?: string | undefined
  /** The result that its run recorded for this leg. */
  readonly leg?: Pick<SettledLeg, 'outcome' | 'conversion' | 'withdrawal'> | undefined
}

export function timelineOf(known: KnownOfIntent): Fact[] {
  const { intent, histories, timing } = known
  const history = factsOfHistories(intent, histories, timing)
  const end = endOf(known, history)
  const happened = [...history.facts, ...unplacedOf(intent, history, timing)]
  // A movement is proven before it is watched until it completes.
  const watched = happened.findLastIndex(({ fact }) => fact === 'sent' || fact === 'doubt')
  const moving = happened.findIndex(({ fact }, index) => fact === 'moving' && index > watched)
  const [first, ...others] = end
  if (moving === -1 || first?.fact !== 'proven') return [askedOf(intent), ...happened, ...end]
  return [askedOf(intent), ...happened.slice(0, moving), first, ...happened.slice(moving), ...others]
}

function askedOf(intent: Intent): RequestedFact {
  const { createdAt: at, notAfter, params } = intent
  const { policy, run, requestId } = params
  return {
    fact: 'asked',
    at,
    what: requestText(intent),
    notAfter,
    ...(typeof policy === 'string' && { policy }),
    ...(typeof run === 'string' && { run }),
    ...(typeof requestId === 'string' && { requestId }),
  }
}

/** The attempt of the record, where no execution that reports it is kept. */
function unplacedOf(intent: Intent, { hasAttempt }: HistoryFacts, timing: Timing): Fact[] {
  if (hasAttempt || !isOpened(intent) || intent.attempt === undefined) return []
  const { attempt: tried, state } = intent
  const number = numberOf(intent)
  const isDoubted = tried.said !== undefined || state === IntentState.Armed || state === IntentState.Escalated
  const answered = answeredOf(intent, tried)
  return [
    ...(isOrder(tried) ? [quotedOf(tried, number)] : []),
    sentOf(intent, tried, number),
    ...(answered === undefined ? [] : [answered]),
    ...(isDoubted ? [doubtOf(intent, tried, timing)] : []),
  ]
}

function endOf(known: KnownOfIntent, history: HistoryFacts): Fact[] {
  const { intent } = known
  const { state, why = '', resolution, ref } = intent
  const resolved: Fact[] = resolution === undefined ? [] : [resolvedOf(resolution)]
  switch (state) {
    case IntentState.Done:
      return [...resolved, ...(ref === undefined ? [] : doneOf(known, ref, history))]
    case IntentState.Rejected:
    case IntentState.Exhausted:
      return [...resolved, zeroOf(known, history)]
    case IntentState.Escalated:
      return [{ fact: 'escalated', why, candidates: candidatesOf(intent.evidence) }, ...resolved]
    default:
      return [openOf(known)]
  }
}

function resolvedOf({ by, because, at, movementId }: NonNullable<Intent['resolution']>): Fact {
  return { fact: 'resolved', by, because, at, ...(movementId !== undefined && { movementId }) }
}

function doneOf(
  { intent, histories, claimedBy, leg }: KnownOfIntent,
  movementId: string,
  history: HistoryFacts,
): Fact[] {
  const movement = movementOf(intent)
  const by = provenBy(intent, history)
  const claimed = claimedBy === undefined ? {} : { claimedBy }
  const proven: Fact = { fact: 'proven', movement, movementId, ...(by !== undefined && { by }), ...claimed }
  const ofRun = settledBy(intent, movementId, leg)
  const settled = (isSeen(leg) ? ofRun : undefined) ?? settledIn(intent, movementId, histories) ?? ofRun
  return [proven, ...(settled === undefined ? [] : [settled])]
}

/**
 * A movement that was in doubt was found by a later read. Otherwise the answer proved it, if the history leaves no
 * other way.
 */
function provenBy({ attempt, resolution }: Intent, history: HistoryFacts): 'answer' | 'look' | undefined {
  if (resolution !== undefined) return undefined
  if (attempt?.said !== undefined || history.wasInDoubt) return 'look'
  return history.hasAttempt && !history.mayBeUnheard ? 'answer' : undefined
}

/** The report of the last step that read the movement. */
function settledIn(
  intent: Intent,
  movementId: string,
  histories: readonly ExecutionHistory[],
): SettledFact | undefined {
  for (const { steps } of histories.toReversed()) {
    for (const step of steps.toReversed()) {
      if (step.did !== 'left') continue
      const found =
        intent.kind === 'convert'
          ? settledBy(intent, movementId, { outcome: '', conversion: convertReport.safeParse(step.output).data })
          : settledBy(intent, movementId, { outcome: '', withdrawal: withdrawReport.safeParse(step.output).data })
      const at = reportedAt(steps, step.output)
      if (found !== undefined) return { ...found, ...(at !== '' && { at }) }
    }
  }
  return undefined
}

function settledBy(intent: Intent, movementId: string, leg: KnownOfIntent['leg']): SettledFact | undefined {
  const common = { fact: 'settled', movement: movementOf(intent), movementId } as const
  const { conversion, withdrawal } = leg ?? {}
  if (conversion?.orderId === movementId && conversion.baseAmount !== undefined) {
    const { outcome, market, rate, baseAmount, quoteAmount, fills, why } = conversion
    return { ...common, outcome, ...present({ market, rate, baseAmount, quoteAmount, fills, why }) }
  }
  if (withdrawal?.withdrawalId === movementId && withdrawal.total !== undefined) {
    const { outcome, assetSymbol, amount, fee, total, transactionHash, bankReference, why } = withdrawal
    const { isByBalance, isRefundDue } = withdrawal
    const networkId = intent.kind === 'withdraw' ? intent.frozen.networkId : undefined
    const figures = present({ assetSymbol, amount, fee, total, networkId, transactionHash, bankReference, why })
    return { ...common, outcome, ...figures, ...(isByBalance && { isByBalance }), ...(isRefundDue && { isRefundDue }) }
  }
  return undefined
}

function zeroOf({ intent }: KnownOfIntent, history: HistoryFacts): ZeroFact {
  const { outcome, state, why = '', guardedBy, attempt, resolution } = intent
  const evidence = (): ZeroFact['evidence'] => {
    if (resolution !== undefined) return 'a person'
    if (attempt === undefined) return 'never armed'
    const placeOf = (name: Fact['fact']) => history.facts.findLastIndex(({ fact }) => fact === name)
    const isEndedBefore = guardedBy !== undefined || placeOf('attempt ended') > placeOf('sent')
    // An attempt with a recorded answer can end only by a read past the fence.
    return !isEndedBefore && (history.wasInDoubt || attempt.said !== undefined) ? 'looked' : 'journal'
  }
  return {
    fact: 'zero',
    outcome: outcome ?? state,
    why,
    ...(guardedBy !== undefined && { guardedBy }),
    movement: movementOf(intent),
    evidence: evidence(),
  }
}

function openOf({ intent, histories, areHistoriesRead = true, timing }: KnownOfIntent): Fact {
  const isUnderWay = histories.at(-1)?.status === 'RUNNING'
  const { attempt } = intent
  const isArmed = intent.state === IntentState.Armed && attempt !== undefined && !isLost(intent)
  return {
    fact: 'open',
    state: isArmed ? IntentState.Armed : IntentState.Ready,
    ...(areHistoriesRead && { isUnderWay }),
    ...(isArmed && { until: doubtOf(intent, attempt, timing).until }),
  }
}

function candidatesOf(evidence: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(evidence)) return []
  return evidence.flatMap((row: unknown) => (typeof row === 'object' && row !== null ? [{ ...row }] : []))
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** The type system cannot follow fields through a list of entries, hence the cast. */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>
}
