// Finds out what became of one leg, from the journal and the service. An unsent intent that nobody continues is closed here. So
// "nothing moved" is certain: no later or concurrent step can send for it.
import type { ConvertReport } from '../../contract/convert.ts'
import { ConvertEnd, WithdrawEnd, WithdrawStep } from '../../contract/outcomes.ts'
import type { PlanLeg } from '../../contract/plan.ts'
import { IntentKind, IntentState } from '../../contract/records.ts'
import { FAILED_WITHDRAWAL_STATUSES, type WithdrawReport } from '../../contract/withdraw.ts'
import { Defect, Refused } from '../../errors.ts'
import {
  attemptOf,
  type ConvertIntent,
  type Intent,
  isConversion,
  isSettled,
  type WithdrawIntent,
} from '../../journal/intent.ts'
import { hasParams } from '../../journal/journal.ts'
import { zeroMove } from '../../journal/moves.ts'
import { isSameAmount, parseDecimal, sumOf } from '../../money/decimal.ts'
import { reportEnd as reportConversionEnd, reportOrder } from '../../movements/conversion/report.ts'
import { assertClaimed, assertFollows } from '../../movements/follows.ts'
import { CLOCK_AGE_LIMIT_MS } from '../../movements/polling.ts'
import { isBankPayout, isGivenTime } from '../../movements/withdrawal/payout.ts'
import { reportWithdrawal, reportEnd as reportWithdrawalEnd } from '../../movements/withdrawal/report.ts'
import { differenceOf } from '../plan/payments.ts'
import type { RunPorts } from '../ports.ts'
import {
  type FrozenLeg,
  frozenLegs,
  type LegResult,
  legOf,
  legRequest,
  type Moved,
  type RunRecord,
} from '../record/run-record.ts'

export interface LegEnd {
  readonly frozen: FrozenLeg
  readonly leg: PlanLeg
  readonly result: LegResult
  readonly moved: Moved
  /** Whether the report agrees with the order's fills, with the row, or with their absence. */
  readonly tiesOut: boolean
  /** Whether nothing can change it any more. */
  readonly isFinal: boolean
}

type Found = Pick<LegEnd, 'result' | 'moved' | 'tiesOut' | 'isFinal'>
interface Unsent {
  readonly why: string
  /** The result of a row that is left to another run. */
  readonly left: LegResult | undefined
}

/** Settles the leg as far as possible. `unsent`: of a leg that was not sent. @throws Transient, Defect */
export async function settleLeg(run: RunRecord, frozen: FrozenLeg, unsent: Unsent, ports: RunPorts): Promise<LegEnd> {
  const leg = legOf(run, frozen)
  const { why, left } = unsent
  if (left && (await ports.journal.find(frozen.intentId, leg.kind)) === undefined)
    return { frozen, leg, result: left, moved: 'nothing', tiesOut: true, isFinal: true }
  const intent = await closeUnsent(run, frozen, why, ports)
  if (intent === 'another') return { frozen, leg, ...((await findOtherRun(run, frozen, ports)) ?? ANOTHERS) }
  return { frozen, leg, ...(await readLeg(intent, ports)) }
}

/** Anybody who may start an execution may have used the leg's id: what such a request moved does not belong to this leg. */
const ANOTHERS: Found = {
  result: { outcome: ConvertEnd.NeedsAttention, why: 'the journal has another intent under this id' },
  moved: 'unknown',
  tiesOut: false,
  isFinal: false,
}

/**
 * Two policies may be given the same rows at once: a row belongs to the run that begins it first, and the leg of the other has
 * certainly moved nothing. Undefined where no run has frozen a leg for the intent that the journal has.
 */
async function findOtherRun(
  run: RunRecord,
  frozen: FrozenLeg,
  { journal, runs }: RunPorts,
): Promise<Found | undefined> {
  const leg = legOf(run, frozen)
  if (leg.kind !== IntentKind.Withdraw || leg.once === undefined) return undefined
  const intent = await journal.find(frozen.intentId, leg.kind)
  const owner = intent?.params.run
  if (intent === undefined || typeof owner !== 'string' || owner === run.runId) return undefined
  const other = await runs.find(owner)
  const own = other && frozenLegs(other).find(({ intentId }) => intentId === frozen.intentId)
  if (other === undefined || own === undefined || !hasParams(intent, legRequest(other, legOf(other, own))))
    return undefined
  const { assetSymbol: asset, amount, feeMode = 'deduct' } = leg.request
  const difference = differenceOf({ asset, amount, contactId: leg.contactId, feeMode }, intent)
  const terms = difference === undefined ? '' : `, with another ${difference}`
  const why = `run ${other.runId} of policy ${other.policy} has begun this row before, and says what became of it${terms}`
  const result = { outcome: unsentOutcome(leg.kind), begunBy: other.runId, why }
  return { result, moved: 'nothing', tiesOut: true, isFinal: true }
}

function unsentOutcome(kind: IntentKind): string {
  return kind === IntentKind.Convert ? ConvertEnd.ExpiredOut : WithdrawEnd.Exhausted
}

/** A withdrawal that has not ended. */
export function isOnItsWay({ outcome }: LegResult): boolean {
  return outcome === WithdrawStep.Processing
}

/** Reads the leg's state without closing anything. @throws Transient, Defect */
export async function readFrozenLeg(run: RunRecord, frozen: FrozenLeg, ports: RunPorts): Promise<LegEnd> {
  const leg = legOf(run, frozen)
  const intent = await ports.journal.find(frozen.intentId, leg.kind)
  if (intent === undefined)
    return { frozen, leg, result: { outcome: 'NOT_BEGUN' }, moved: 'nothing', tiesOut: true, isFinal: false }
  return { frozen, leg, ...(hasParams(intent, legRequest(run, leg)) ? await readLeg(intent, ports) : ANOTHERS) }
}

/** `another`: the id belongs to another request. */
async function closeUnsent(
  run: RunRecord,
  frozen: FrozenLeg,
  why: string,
  { journal }: RunPorts,
): Promise<Intent | 'another'> {
  const { intentId } = frozen
  const leg = legOf(run, frozen)
  const outcome = unsentOutcome(leg.kind)
  const end = { state: IntentState.Exhausted, outcome, why }
  const params = legRequest(run, leg)
  const known = await journal.find(intentId, leg.kind)
  if (known && !hasParams(known, params)) return 'another'
  if (known?.state === IntentState.Ready) {
    return journal.advance(known, zeroMove(known, IntentState.Exhausted, outcome, why))
  }
  if (known) return known
  const { takenAt = run.startedAt } = run.plan ?? {}
  try {
    // Opened at its end: a late step finds nothing to do.
    return await journal.open<IntentKind>(
      { intentId, kind: leg.kind, params, frozen: {}, createdAt: takenAt, notAfter: run.notAfter },
      end,
    )
  } catch (error) {
    if (error instanceof Refused) return 'another'
    throw error
  }
}

async function readLeg(intent: Intent, ports: RunPorts): Promise<Found> {
  try {
    assertFollows(intent)
    const found = isConversion(intent) ? await readConversion(intent, ports) : await readWithdrawal(intent, ports)
    const mayChange = !isSettled(intent.state) || found.moved === 'unknown' || isOnItsWay(found.result)
    return { ...found, isFinal: !mayChange }
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    // A changed record, or more fills than a report holds: a retry would not help, and the run would hold its policy for ever.
    const why = `what became of it cannot be read: ${error.message}`
    return { result: { outcome: ConvertEnd.NeedsAttention, why }, moved: 'unknown', tiesOut: false, isFinal: false }
  }
}

type Read = Omit<Found, 'isFinal'>

async function readConversion(intent: ConvertIntent, { journal, service }: RunPorts): Promise<Read> {
  await assertClaimed(intent, journal)
  if (intent.state === IntentState.Done) {
    const report = await reportOrder(intent, service)
    return { result: resultOf(report), moved: movedBy(report), tiesOut: addsUp(report) }
  }
  const unsettled = unsettledResult(intent)
  if (unsettled) return unsettled
  const report = reportConversionEnd(intent)
  if (intent.state === IntentState.Escalated) return { result: resultOf(report), moved: 'unknown', tiesOut: false }
  // The last armed order must not exist: its fence has passed, or nothing was sent.
  const orderId = intent.attempt?.orderId
  const order = orderId === undefined ? undefined : await service.findOrder(orderId)
  return { result: resultOf(report), moved: 'nothing', tiesOut: order === undefined }
}

async function readWithdrawal(intent: WithdrawIntent, { journal, service, treasury }: RunPorts): Promise<Read> {
  await assertClaimed(intent, journal)
  if (intent.state === IntentState.Done) {
    const report = await reportWithdrawal(intent, service, treasury.timing)
    const isOnItsWay = report.outcome === WithdrawStep.Processing && (await isWithTheBank(intent, service, treasury))
    const moved = isOnItsWay ? 'whole' : (MOVED_BY[report.outcome] ?? 'unknown')
    return { result: resultOfWithdrawal(report), moved, tiesOut: isAsRequested(report, intent) }
  }
  const unsettled = unsettledResult(intent)
  if (unsettled) return unsettled
  const result = resultOfWithdrawal(reportWithdrawalEnd(intent))
  const isCertain = intent.state !== IntentState.Escalated
  return { result, moved: isCertain ? 'nothing' : 'unknown', tiesOut: isCertain }
}

/**
 * Whether the service has accepted a payout that a bank has not finished yet. It has left the account, and its own execution
 * reads it until it arrives. A run that waited for it would hold its policy for days.
 */
async function isWithTheBank(
  intent: WithdrawIntent,
  service: RunPorts['service'],
  { timing }: RunPorts['treasury'],
): Promise<boolean> {
  if (!isBankPayout(intent) || intent.ref === undefined) return false
  await service.clock.ensure(CLOCK_AGE_LIMIT_MS)
  if (!isGivenTime(intent, service.clock.nowMs(), timing)) return false
  const row = await service.findWithdrawal(intent.ref)
  return row !== undefined && !FAILED_WITHDRAWAL_STATUSES.has(row.status)
}

/** The result for READY and ARMED: the run does not know the end yet. */
function unsettledResult(intent: Intent): Read | undefined {
  if (intent.state === IntentState.Ready) return { result: { outcome: 'NOT_SENT' }, moved: 'nothing', tiesOut: true }
  if (intent.state !== IntentState.Armed) return undefined
  const answer = attemptOf(intent).said?.text ?? 'no answer was heard'
  const why = `it may have been sent, and what became of it is not certain: ${answer}`
  return { result: { outcome: ConvertEnd.NeedsAttention, why }, moved: 'unknown', tiesOut: false }
}

const MOVED_BY: Readonly<Record<string, Moved>> = {
  [WithdrawEnd.Completed]: 'whole',
  [WithdrawEnd.FailedRefunded]: 'nothing',
}

function movedBy({ outcome, baseAmount }: ConvertReport): Moved {
  if (outcome === ConvertEnd.Filled) return 'whole'
  if (outcome !== ConvertEnd.Failed) return 'unknown'
  return /[1-9]/.test(baseAmount ?? '0') ? 'part' : 'nothing'
}

function resultOf({ why, ...conversion }: ConvertReport): LegResult {
  return { outcome: conversion.outcome, conversion, ...(why !== undefined && { why }) }
}

function resultOfWithdrawal({ why, candidates: _forPeople, ...withdrawal }: WithdrawReport): LegResult {
  return { outcome: withdrawal.outcome, withdrawal, ...(why !== undefined && { why }) }
}

/** Whether the order's amounts are the sums of its fills. An order without a list of fills is still moving. */
function addsUp({ fills, baseAmount = '0', quoteAmount = '0' }: ConvertReport): boolean {
  if (fills === undefined) return false
  const sum = (leg: 'baseAmount' | 'quoteAmount') => sumOf(fills.map((fill) => parseDecimal(fill[leg], leg)))
  return (
    sum('baseAmount') === parseDecimal(baseAmount, 'baseAmount') &&
    sum('quoteAmount') === parseDecimal(quoteAmount, 'quoteAmount')
  )
}

/** Whether the row has the requested amount: under `deduct` it is the total, under `add` the received amount. */
function isAsRequested({ amount, outcome, total }: WithdrawReport, { attempt, frozen }: WithdrawIntent): boolean {
  // The intent's record was lost, with its settled terms: a person named the row.
  if (attempt === undefined || outcome === WithdrawEnd.NeedsAttention) return false
  const rowAmount = frozen.feeMode === 'deduct' ? total : amount
  return rowAmount !== undefined && isSameAmount(rowAmount, frozen.amount)
}
