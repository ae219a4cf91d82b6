// Derives what follows from the evidence of a proof, movement by movement. It runs when a proof is made, and again when
// a person checks it, so that nobody has to trust the written statement. Pure.
import { createHash } from 'node:crypto'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { MOST_LEGS_WITH_ROWS } from '../../core/contract/plan.ts'
import { IntentKind, IntentState, recordKey } from '../../core/contract/records.ts'
import { type Intent, isLost } from '../../core/journal/intent.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import { hasParams } from '../../core/journal/journal.ts'
import { judgeChain } from '../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { findUnfollowed } from '../../core/movements/follows.ts'
import { hashParams } from '../../core/params-hash.ts'
import { findOtherPayee, findUnapproved, findUnapprovedLeg } from '../../core/runs/approval/approved-leg.ts'
import { recordedPlanHash } from '../../core/runs/approval/ask.ts'
import { ANY_PLAN, countedWords } from '../../core/runs/approval/decisions.ts'
import { requesterIn } from '../../core/runs/approval/requesters.ts'
import { decisionKeyOf } from '../../core/runs/approval/signed-decision.ts'
import {
  type FrozenLeg,
  frozenLegs,
  legIntentId,
  legOf,
  legRequest,
  type RunRecord,
  runOfRecord,
} from '../../core/runs/record/run-record.ts'
import { movementIdOf, RequestKind } from '../movements/record-kind.ts'
import { type Contradiction, type MovedFigures, movedBy } from './moved.ts'
import { PackFault } from './pack-file.ts'
import type { Evidence, Origin } from './proof-parts.ts'

export type Verdict =
  | 'one movement'
  | 'certified zero'
  /** It stopped, and a person decides by the evidence. */
  | 'stop with evidence'
  | 'in doubt'
  | 'nothing sent'
  /** A leg whose intent was never opened. */
  | 'not begun'

export interface ProvenMovement {
  readonly intentId: string
  readonly verdict: Verdict
  readonly kind?: IntentKind
  readonly leg?: string
  readonly request?: string
  readonly attempts?: number
  /** For the last attempt: what was signed, and when. No token, and no body. */
  readonly signed?: Readonly<Record<'nonce' | 'kid' | 'bodySha256', string> & Record<'iat' | 'exp', number>>
  readonly movementId?: string
  readonly moved?: MovedFigures
  readonly why?: string
  readonly decidedBy?: string
}

export interface Statement {
  readonly from: Origin
  readonly of: { readonly kind: RequestKind; readonly id: string }
  readonly run?: {
    readonly policy: string
    readonly outcome: string
    readonly request: string
    /** SHA-256 of the plan in the record. */
    readonly plan?: string
    /** The hash that people approved. The record's plan must have the same hash. */
    readonly approvedPlan?: string
    /** The requester, as recorded before the run was started. */
    readonly requester?: { readonly kind: string; readonly by: string; readonly at: string }
    /** The key that the proof names for the decisions. Compare it with the published one. */
    readonly decisionKey?: string
    /** Empty where the record differs from what people decided on. */
    readonly decisions: readonly { readonly decision: string; readonly by: string; readonly at: string }[]
  }
  readonly movements: readonly ProvenMovement[]
  /** Contradictions between parts. Empty in a proof of what tied out. */
  readonly contradictions: readonly Contradiction[]
  readonly notShown: readonly string[]
}

/** @throws PackFault for parts that are missing or do not fit */
export function statementOf(evidence: Evidence): Statement {
  const { about, records } = evidence
  const contradictions: Contradiction[] = []
  for (const record of records.values()) {
    if (judgeChain(record).is === 'broken') contradictions.push({ about: record.pk, code: 'record_broken' })
  }
  const pin = records.get(recordKey.account)?.account
  const { account } = about.from
  if (account !== null && pin !== undefined && pin !== account)
    contradictions.push({ about: recordKey.account, code: 'another_account' })
  const run = about.kind === RequestKind.Run ? runIn(evidence) : undefined
  const legs = run === undefined ? [undefined] : frozenLegs(run)
  const movements = legs.map((leg) => movementOf(leg, run, evidence, contradictions))
  contradictions.push(...sharedIn(movements), ...hiddenIn(evidence, movements))
  return {
    from: about.from,
    of: { kind: about.kind, id: about.id },
    ...(run && { run: runFacts(run, evidence, contradictions) }),
    movements,
    // In one order, so that other verifiers derive the same statement.
    contradictions: contradictions.sort((left, right) => (inOrder(left) < inOrder(right) ? -1 : 1)),
    notShown: notShown(evidence, movements),
  }
}

function inOrder({ about, code }: Contradiction): string {
  return `${about} ${code}`
}

function runIn({ about, records }: Evidence): RunRecord {
  const record = records.get(recordKey.run(about.id))
  if (record === undefined) throw new PackFault(recordKey.run(about.id), 'the record is missing')
  const run = fitting(() => runOfRecord(record), record.pk)
  const legs = frozenLegs(run)
  // Each leg is looked up among the others, so their number is bounded. No honest record has a leg twice.
  if (legs.length > MOST_LEGS_WITH_ROWS || new Set(legs.map(({ intentId }) => intentId)).size < legs.length)
    throw new PackFault(record.pk, `it has more than ${MOST_LEGS_WITH_ROWS} legs, or one of them twice`)
  return run
}

function runFacts(run: RunRecord, { about, records }: Evidence, found: Contradiction[]): NonNullable<Statement['run']> {
  const { policy, outcome, phases, request, requestHash, plan, approval, runId } = run
  const { trigger: _trigger, ...asked } = request
  if (hashParams(asked) !== requestHash) found.push({ about: recordKey.run(runId), code: 'request_differs' })
  const differs = approval !== undefined && recordedPlanHash(run) !== approval.planHash
  if (differs) found.push({ about: recordKey.run(runId), code: 'plan_differs' })
  const read = <Result>(key: string, parse: (record: StoredRecord | undefined) => Result) =>
    fitting(() => parse(records.get(key)), key)
  const first = read(recordKey.requester(runId), requesterIn)
  const { decisionKey } = about
  const key = decisionKey === undefined ? undefined : decisionKeyOf(decisionKey)
  const approvals =
    approval && key
      ? read(recordKey.decisions(runId, approval.planHash), (record) =>
          countedWords(record, (each) => records.get(each), { run: runId, planHash: approval.planHash }, key),
        )
      : []
  const isHidden = approval === undefined && records.has(recordKey.decisions(runId, ANY_PLAN))
  const unapproved = phases.length === 0 ? undefined : findUnapproved(run, { words: approvals, recorded: first })
  if (isHidden || unapproved !== undefined) found.push({ about: recordKey.run(runId), code: 'not_approved' })
  const isAsDecided = !differs && frozenLegs(run).every(({ intentId }) => isApprovedLeg(run, intentId))
  return {
    ...{ policy, outcome, request: requestHash },
    ...(plan && { plan: hashParams(plan) }),
    ...(approval && { approvedPlan: approval.planHash }),
    // The requester of another request does not count.
    ...(first?.requestHash === requestHash && {
      requester: { kind: first.kind, by: first.by, at: first.at },
    }),
    ...(decisionKey !== undefined && { decisionKey }),
    decisions: (isAsDecided ? approvals : []).map(({ decision, by, at }) => ({ decision, by, at })),
  }
}

function movementOf(
  leg: FrozenLeg | undefined,
  run: RunRecord | undefined,
  evidence: Evidence,
  found: Contradiction[],
): ProvenMovement {
  const intentId = leg?.intentId ?? evidence.about.id
  const pk = recordKey.intent(kindOf(leg, run, evidence), intentId)
  const record = evidence.records.get(pk)
  const named = { intentId, ...(leg && { leg: leg.key }) }
  if (record === undefined && leg === undefined) throw new PackFault(pk, 'the record is missing')
  const intent = record && fitting(() => intentOfRecord(record), pk)
  const reported = reportedBy(run, intentId)
  if (reported !== undefined && reported !== (intent && movementIdOf(intent)))
    found.push({ about: pk, code: 'claim_missing' })
  if (intent === undefined) return { ...named, verdict: 'not begun' }
  const isOwn = leg === undefined || run === undefined || isOfLeg(intent, leg, run)
  if (!isOwn) found.push({ about: pk, code: 'leg_differs' })
  if (!hasParams(intent, intent.params)) found.push({ about: pk, code: 'request_differs' })
  else if (findUnfollowed(intent) !== undefined) found.push({ about: pk, code: 'terms_differ' })
  if (bodyOf(intent) !== intent.attempt?.bodySha256) found.push({ about: pk, code: 'body_differs' })
  const verdict = verdictOf(intent)
  const moved = movedBy(intent, verdict, evidence, found)
  const { attempt, attemptNumber, paramsHash, kind, why, resolution } = intent
  const movementId = movementIdOf(intent)
  return {
    ...named,
    ...{ kind, verdict, request: paramsHash, attempts: attempt === undefined ? 0 : attemptNumber },
    ...(attempt && { signed: signedOf(attempt) }),
    ...(movementId !== undefined && { movementId }),
    ...(moved && { moved }),
    ...(why !== undefined && { why }),
    ...(resolution && { decidedBy: resolution.by }),
  }
}

/** The movement with which the run's record says that a leg has ended. */
function reportedBy(run: RunRecord | undefined, intentId: string): string | undefined {
  const { outcome, conversion, withdrawal } = run?.results[intentId] ?? {}
  if (outcome === ConvertEnd.Filled) return conversion?.orderId
  return outcome === WithdrawEnd.Completed ? withdrawal?.withdrawalId : undefined
}

/** A leg's kind is in the plan, whose hash was approved. */
function kindOf(leg: FrozenLeg | undefined, run: RunRecord | undefined, { about }: Evidence): IntentKind {
  if (leg !== undefined && run !== undefined) return fitting(() => legOf(run, leg), recordKey.run(run.runId)).kind
  if (about.kind === RequestKind.Run) throw new PackFault('about', 'it is of a run, and the record of that has no legs')
  return about.kind
}

function isOfLeg(intent: Intent, frozen: FrozenLeg, run: RunRecord): boolean {
  const { intentId } = frozen
  const leg = fitting(() => legOf(run, frozen), recordKey.run(run.runId))
  if (legIntentId(run.runId, leg) !== intentId || !isApprovedLeg(run, intentId)) return false
  return findOtherPayee(run, intent) === undefined && hashParams(legRequest(run, leg)) === intent.paramsHash
}

function isApprovedLeg(run: RunRecord, intentId: string): boolean {
  return run.approval === undefined || findUnapprovedLeg(run, intentId) === undefined
}

function signedOf({ nonce, kid, iat, exp, bodySha256 }: NonNullable<Intent['attempt']>) {
  return { nonce, kid, iat, exp, bodySha256 }
}

/** The bytes of a send follow from the frozen terms, so their hash can be computed again. */
function bodyOf({ attempt, kind, frozen }: Intent): string | undefined {
  if (attempt === undefined) return undefined
  if ('orderId' in attempt) return sha256(JSON.stringify({ orderId: attempt.orderId }))
  if (kind !== IntentKind.Withdraw || !('feeMode' in frozen)) return undefined
  const { assetSymbol, amount, feeMode, contactId } = frozen
  return sha256(JSON.stringify({ assetSymbol, amount, feeMode, contactId }))
}

function sha256(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

function verdictOf(intent: Intent): Verdict {
  const { state, attempt } = intent
  switch (state) {
    case IntentState.Done:
      return 'one movement'
    case IntentState.Rejected:
    case IntentState.Exhausted:
      return 'certified zero'
    case IntentState.Escalated:
      return 'stop with evidence'
    case IntentState.Armed:
      return 'in doubt'
    default:
      return attempt === undefined && !isLost(intent) ? 'nothing sent' : 'in doubt'
  }
}

/** A movement that two intents claim belongs to only one of them. */
function sharedIn(movements: readonly ProvenMovement[]): Contradiction[] {
  const seen = new Set<string>()
  return movements.flatMap(({ kind, movementId, intentId }) => {
    if (movementId === undefined || kind === undefined) return []
    const key = `${kind} ${movementId}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [{ about: recordKey.intent(kind, intentId), code: 'movement_shared' as const }]
  })
}

/** Records of intents that are no movement of the request. A run's record may have lost a leg that it has frozen. */
function hiddenIn({ records }: Evidence, movements: readonly ProvenMovement[]): Contradiction[] {
  const own = new Set(movements.map(({ kind, intentId }) => kind && recordKey.intent(kind, intentId)))
  const hidden = [...records.keys()].filter((pk) => pk.startsWith('I#') && !own.has(pk))
  return hidden.map((about) => ({ about, code: 'leg_differs' }))
}

function notShown({ about, services }: Evidence, movements: readonly ProvenMovement[]): string[] {
  return [
    ...(about.from.account === null ? ['of which account the key is that read the service'] : []),
    ...movements.flatMap(({ intentId, attempts = 0, verdict }) => {
      const shown = services.get(intentId)
      const leftOut = shown?.leftOut
      return [
        ...(shown === undefined && verdict !== 'not begun' ? [`what the service shows of ${intentId}`] : []),
        ...(leftOut === undefined ? [] : [`of ${intentId}: ${leftOut}`]),
        ...(attempts > 1
          ? [`of ${intentId}: what attempts before the last one signed; the journal keeps the last`]
          : []),
      ]
    }),
  ]
}

/** Records of a proof that somebody else made may hold anything. */
function fitting<Result>(read: () => Result, where: string): Result {
  try {
    return read()
  } catch (error) {
    throw new PackFault(where, error instanceof Error ? error.message : 'it is not of its form')
  }
}
