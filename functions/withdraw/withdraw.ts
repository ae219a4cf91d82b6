// State Withdraw: sends a checked withdrawal at most once, or finds out what became of a send. Reads the journal first,
// so entering it again after any crash is safe. No other file sends withdrawals.

import type { Clock, NewId } from '../../core/clock.ts'
import { GuardCode, WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { WithdrawInput, WithdrawReport } from '../../core/contract/withdraw.ts'
import { Defect, IntentLost, KeyFault, Refused, Transient } from '../../core/errors.ts'
import type { GuardRefusal, MovementGuard, MovementGuards } from '../../core/guards/movement-guard.ts'
import { nextDeadMs, withdrawalDeadMs, withdrawalFenceMs, withdrawalFenceTiming } from '../../core/journal/fence.ts'
import { type Halt, type Halts, haltText } from '../../core/journal/halts.ts'
import {
  attemptOf,
  type OpenWithdrawal,
  type WithdrawalAttempt,
  type WithdrawIntent,
} from '../../core/journal/intent.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { Lanes } from '../../core/journal/lanes.ts'
import {
  type AcceptedFact,
  answeredMove,
  armMove,
  escalateMove,
  guardedMove,
  nextAttemptMove,
  seenMove,
} from '../../core/journal/moves.ts'
import { accountOfSigner, assertKeyKept, readWithOwnKey } from '../../core/journal/own-key.ts'
import type { Span } from '../../core/journal/sending-days.ts'
import { termsHashOf } from '../../core/journal/terms.ts'
import { settledAmount } from '../../core/money/amount.ts'
import { formatDecimal, greatest, parseDecimal } from '../../core/money/decimal.ts'
import { assertAsRequested, assertClaimed } from '../../core/movements/follows.ts'
import { UNREAD_WAITS, waitAfter } from '../../core/movements/polling.ts'
import { awaitingApproval, verdictsOf } from '../../core/movements/verdicts.ts'
import {
  assertShowsRowsOf,
  findMissingBefore,
  findNewlySeen,
  listKnownRows,
  listRowsAround,
  missingText,
} from '../../core/movements/withdrawal/known-rows.ts'
import { type Matches, matchRows, mayGoBeside, rowsOfOthers } from '../../core/movements/withdrawal/match.ts'
import { dropClaimed, findOtherWriters, isDatedBefore } from '../../core/movements/withdrawal/other-writers.ts'
import { findContactChange } from '../../core/movements/withdrawal/payee.ts'
import { reportPolledWithdrawal } from '../../core/movements/withdrawal/poll.ts'
import type { WithdrawalReads } from '../../core/movements/withdrawal/ports.ts'
import { candidatesOf, reportEnd } from '../../core/movements/withdrawal/report.ts'
import { findExcess, findUnfit, routeOf, totalAt } from '../../core/movements/withdrawal/route.ts'
import { approvableWithdrawal, guardedWithdrawal } from '../../core/movements/withdrawal/withdraw-intent.ts'
import type { WithdrawalSender, WithdrawalState } from '../../core/service/ports.ts'

export interface WithdrawPorts {
  readonly journal: Journal
  readonly lanes: Lanes
  readonly guard: MovementGuard
  readonly halts: Pick<Halts, 'find'>
  readonly service: WithdrawalReads
  readonly sender: WithdrawalSender
  readonly newId: NewId
  readonly clock: Clock
  readonly timing: Timing
  /** Whether the service's rate limit has room for more polls than the first. */
  readonly mayLookOn?: () => boolean
  /** Whether others write to the account; `undefined` where treasury.json does not say. */
  readonly shared: boolean | undefined
}

/** The service accepted: money certainly moves, whichever row shows it. */
const ACCEPTED: AcceptedFact = { accepted: true }

const { settle, end, timeRanOut, held, uncertain } = verdictsOf<OpenWithdrawal, WithdrawPorts, WithdrawReport>({
  noun: 'withdrawal',
  exhausted: WithdrawEnd.Exhausted,
  evidence: [],
  heard: heardOf,
  facts: ({ intentId, attemptNumber }) => ({ intentId, attempts: attemptNumber }),
  // Polled here, because one transition of the state machine costs as much as many seconds of polling.
  report: (intent, ports) => reportPolledWithdrawal(intent, 0, ports),
  reportEnd,
})

function heardOf(intent: OpenWithdrawal): string {
  const { said, accepted } = attemptOf(intent)
  return accepted ? 'accepted, and its row is not visible yet' : (said?.text ?? 'the answer was lost')
}

/** @throws Transient, KeyFault, IntentLost, Refused, Defect. Enter the step again: it continues from the journal. */
export async function withdraw(
  { request, said: answer }: WithdrawInput,
  ports: WithdrawPorts,
): Promise<WithdrawReport> {
  const { intentId, settled, awaited } = answer
  const intent = await ports.journal.find(intentId, IntentKind.Withdraw)
  if (!intent) throw new IntentLost(intentId)
  assertAsRequested(intent, request)
  const report = await continueFrom(intent, answer, ports)
  if (!REENTERED.has(report.outcome)) return report
  return { ...(settled !== undefined && { settled }), ...(awaited !== undefined && { awaited }), ...report }
}

/**
 * After a wait without the hash of its terms, CheckWithdrawal settles them again: people then see the value for which they are
 * asked.
 */
const UNSETTLED = { settled: undefined }

/** Outcomes after which the step is entered again, with the terms that this execution has settled. */
const REENTERED: ReadonlySet<string> = new Set([
  WithdrawStep.Held,
  WithdrawStep.AwaitingApproval,
  WithdrawStep.Uncertain,
])

async function continueFrom(
  intent: WithdrawIntent,
  { settled, awaited, waits = 0 }: WithdrawInput['said'],
  ports: WithdrawPorts,
): Promise<WithdrawReport> {
  switch (intent.state) {
    case IntentState.Ready:
      if (settled !== termsHashOf(intent)) return checkAgain(intent, 'its terms are not those of this execution')
      return sendOnce(intent, ports, waits, awaited)
    case IntentState.Armed:
      return settleDoubt(intent, ports, waits)
    case IntentState.Done:
      await assertClaimed(intent, ports.journal)
      return reportPolledWithdrawal(intent, 0, ports)
    default:
      return reportEnd(intent)
  }
}

/** Lane, rows, guards, ARM, then the one send of this attempt. */
async function sendOnce(
  intent: OpenWithdrawal,
  ports: WithdrawPorts,
  waits: number,
  awaited: string | undefined,
): Promise<WithdrawReport> {
  const { journal, lanes, guard, service, sender, timing } = ports
  const { account, assetSymbol, feeMode, contactId } = intent.frozen
  const [guards] = await Promise.all([readGuards(intent, ports), service.clock.measure()])
  if (service.clock.nowMs() >= Date.parse(intent.notAfter)) {
    const waited = await findUnapproved(intent, guards, guard)
    return timeRanOut(intent, ports, waited?.isForNow && waited)
  }
  // Checked before the lane, so that a withdrawal that waits for the morning blocks no other.
  const early = guard.findQuiet(guards, service.clock.reachedMs(), nextDeadMs(service.clock.nowMs(), timing))
  if (early !== undefined) return held(intent, ports, waits, early)
  // Checked before the lane too, so that a withdrawal that waits for people blocks no other.
  const unapproved = await findUnapproved(intent, guards, guard)
  if (unapproved?.isUnseen) return { ...(await held(intent, ports, waits, unapproved.why)), ...UNSETTLED }
  if (unapproved?.isForNow) return heldBy(unapproved, intent, ports, { waits, awaited })
  if (unapproved) return reportEnd(await journal.advance(intent, guardedMove(intent, WithdrawEnd.Rejected, unapproved)))
  // So that a halted withdrawal takes neither the lane nor a budget from others.
  const halted = await findHalt(guards, ports)
  if (halted) return held(intent, ports, waits, haltText(halted))
  // A withdrawal whose fee has risen may wait for people again and already hold the lane. It lets others pass.
  const waitsForPeople = (holder: OpenWithdrawal) => mayBePassed(holder, ports)
  const mayShareLane = (holder: OpenWithdrawal) => mayGoBeside(intent.frozen, holder.frozen)
  const rules = { mayGoBeside: mayShareLane, mayOvertake: waitsForPeople }
  const lane = await lanes.take(account, assetSymbol, intent.intentId, rules)
  if (lane.heldBy !== undefined)
    return held(intent, ports, waits, `withdrawal ${lane.heldBy} of ${assetSymbol} ${lane.why}`)
  // Use one key from here to the balance: a key of another account shows none of our rows, and another balance.
  const kid = await service.keyInUse()
  // Rows, then service time, then ARM: so the row of our send is neither among these rows nor older.
  const earlier = intent.attempt ? intent : lane.before
  const senders = [intent, ...(lane.senders ?? [])]
  const rows = await listKnownRows(assetSymbol, service.clock.reachedMs(), earlier, service)
  await service.clock.measure()
  // Read once, because this machine's clock may be set while the step waits below.
  const reachedMs = service.clock.reachedMs()
  const amount = settledAmount(assetSymbol, intent.frozen.amount, 'amount')
  const prepared = await sender.prepareWithdrawal({ amount, feeMode, contactId }, timing.tokenLifeSeconds)
  // The account of the sending key must be known, so that any key of that account can look for the row later.
  if (prepared.facts.kid !== kid) throw new Transient('the key was replaced before a withdrawal was signed')
  if ((await accountOfSigner(intent.frozen, kid, service)) === undefined)
    throw new KeyFault(`the key ${kid} may not read its account; give it the scope accounts:read`)
  // A row that this list lacks could later be mistaken for our own.
  const missing = await findMissingBefore(rows, senders, timing, service)
  if (missing !== undefined) return held(intent, ports, waits, missingText(assetSymbol, missing))
  // Reading the rows may have taken long, and the service could accept the signed request until it is dead.
  const quiet = guard.findQuiet(guards, reachedMs, withdrawalDeadMs(prepared.facts, timing))
  if (quiet !== undefined) return held(intent, ports, waits, quiet)
  const span = { fromMs: reachedMs, toMs: withdrawalFenceMs(prepared.facts, timing) }
  const { refusal, unfit, isDearer, fee, approved } = await admit(intent, guards, span, ports)
  await assertKeyKept(kid, service)
  if (isDearer) return checkAgain(intent, `people approved it at a fee of ${intent.frozen.fee}, and the fee is ${fee}`)
  if (unfit !== undefined) return end(intent, ports, { state: 'REJECTED', outcome: WithdrawEnd.Rejected, why: unfit })
  if (refusal?.isUnseen) return { ...(await held(intent, ports, waits, refusal.why)), ...UNSETTLED }
  if (refusal?.isForNow) return heldBy(refusal, intent, ports, { waits, awaited })
  if (refusal) return reportEnd(await journal.advance(intent, guardedMove(intent, WithdrawEnd.Rejected, refusal)))
  const halt = await findHalt(guards, ports)
  if (halt !== undefined) return held(intent, ports, waits, haltText(halt))
  const fenceTiming = withdrawalFenceTiming(timing)
  const armed = await journal.advance(
    intent,
    armMove(intent, { ...prepared.facts, owner: ports.newId(), fenceTiming, fee, ...approved, ...rows.known }),
  )
  // A slow journal uses up the intent's time too. Only this process could send, and it has not.
  if (service.clock.nowMs() >= Date.parse(intent.notAfter)) return timeRanOut(armed, ports)
  const answer = await prepared.send()
  if (answer.kind === 'accepted') return settleAnswered(armed, answer.withdrawal, ports)
  if (answer.said.keyAtFault) sender.forgetKeys()
  const more = answer.kind === 'accepted_unread' ? ACCEPTED : {}
  const heard = answeredMove(armed, answer.said, service.clock.atMostMs(), more)
  return settleDoubt(await journal.advance(armed, heard), ports, 0)
}

interface Admission {
  readonly refusal?: GuardRefusal | undefined
  /** Why the service would refuse it in its present form. */
  readonly unfit?: string | undefined
  /** The fee is higher than the fee that people approved. */
  readonly isDearer?: boolean
  readonly approved?: Pick<WithdrawalAttempt, 'approvedTotal'>
  /** Current fee of its network, in settled units. */
  readonly fee: string
}

/**
 * Reads contact and asset again, because both may have changed since the terms were settled, and asks the guards. They
 * count the higher of the settled and the current fee.
 * @throws Refused when contact or network is gone.
 * @throws Transient, KeyFault, Defect
 */
async function admit(
  intent: OpenWithdrawal,
  guards: MovementGuards,
  span: Span,
  { guard, service }: WithdrawPorts,
): Promise<Admission> {
  const { params, frozen } = intent
  const [contact, asset] = await Promise.all([service.contact(frozen.contactId), service.asset(frozen.assetSymbol)])
  const { payee } = guards.policy ?? {}
  const changed =
    (payee && findContactChange(payee, contact, 'it was planned')) ??
    findContactChange(frozen.payee, contact, 'it was checked')
  if (changed) return { refusal: changed, fee: frozen.fee }
  const route = routeOf(contact, asset)
  const fee = formatDecimal(route.fee)
  const unfit = findUnfit(frozen, asset, route)
  if (unfit !== undefined) return { unfit, fee }
  const dearer = greatest(parseDecimal(frozen.fee, 'fee'), route.fee)
  const isDearer = dearer > parseDecimal(frozen.fee, 'fee')
  const asksPeople = guard.asksPeople(guardedWithdrawal(intent, route.fee, guards))
  if (isDearer && asksPeople) return { isDearer, fee }
  const excess = findExcess(params, frozen, totalAt(dearer, frozen))
  const told = { fee, ...(asksPeople && { approved: { approvedTotal: frozen.total } }) }
  return { refusal: excess ?? (await guard.admit(guardedWithdrawal(intent, dearer, guards), span, service)), ...told }
}

/** Settles a doubt. A row proves a movement at any time. Its absence proves that nothing moved only past the fence. */
async function settleDoubt(intent: OpenWithdrawal, ports: WithdrawPorts, waits: number): Promise<WithdrawReport> {
  const { service, timing } = ports
  const attempt = attemptOf(intent)
  const { account, assetSymbol } = intent.frozen
  const fenceMs = withdrawalFenceMs(attempt, timing)
  let reachedMs: number
  let rows: readonly WithdrawalState[]
  let senders: readonly WithdrawIntent[]
  try {
    const signer = { account: intent.frozen.account, kid: attempt.kid }
    ;[reachedMs, rows] = await readWithOwnKey(signer, service, async () => {
      // Measure first and read after, so that a read that seems past the fence is past it.
      await service.clock.measure()
      return [service.clock.reachedMs(), await listRowsAround(intent, timing, service)]
    })
    // Rows first, then the lane, then claims: whoever made one of these rows is in the lane, or has claimed the row.
    senders = await ports.lanes.findSenders(account, assetSymbol, intent.intentId)
    if (reachedMs > fenceMs)
      await readWithOwnKey(signer, service, () => assertShowsRowsOf(senders, rows, intent, timing, service))
  } catch (error) {
    // An unreadable service, or a key that proves nothing, leaves the doubt as it was: check again later.
    const waitSeconds = waitAfter(waits, UNREAD_WAITS)
    if (error instanceof KeyFault || error instanceof Transient)
      return uncertain(intent, { fenceMs, waits, waitSeconds, because: error.message })
    throw error
  }
  const theirs = rowsOfOthers(rows, intent.frozen, senders)
  const left = rows.filter(({ id }) => !theirs.has(id))
  const matches = await dropClaimed(matchRows(left, attempt, intent.frozen), intent.intentId, ports.journal)
  const [only, ...others] = matches.exact
  const isOne = only !== undefined && others.length === 0 && matches.near.length === 0
  const writers = await findOtherWriters(
    ports.shared,
    { rows, theirs },
    attempt,
    isOne ? only : undefined,
    ports.journal,
  )
  // A lost withdrawal may have made that row before the journal lost it.
  const lost = isOne ? await ports.lanes.findLost(assetSymbol) : undefined
  if (isOne && writers === undefined && lost === undefined) return settle(intent, ports, only.id)
  const waitSeconds = Math.ceil((fenceMs - reachedMs) / 1000) + 1
  if (reachedMs <= fenceMs) return uncertain(await noteSeen(intent, matches, ports), { fenceMs, waits, waitSeconds })

  if (only || matches.near.length > 0) return escalate(intent, matches, writers, lost, ports)
  const heard = attempt.said?.text ?? 'the answer to the withdrawal was lost'
  if (attempt.accepted) {
    const why = 'the service accepted the withdrawal, and no row of it can be found'
    return reportEnd(await ports.journal.advance(intent, escalateMove(intent, WithdrawEnd.NeedsAttention, why, [])))
  }
  if (attempt.said?.business)
    return end(intent, ports, { state: 'REJECTED', outcome: WithdrawEnd.Rejected, why: heard })
  if (attempt.said?.keyAtFault) {
    // The key was refused, not the withdrawal. It waits, within its time, for a key that may send it.
    return {
      ...(await held(await ports.journal.advance(intent, nextAttemptMove(intent)), ports, 0, heard)),
      keyAtFault: true,
    }
  }
  if (intent.attemptNumber >= timing.attempts) {
    const why = `${intent.attemptNumber} attempts moved nothing; the last: ${heard}`
    return end(intent, ports, { state: 'EXHAUSTED', outcome: WithdrawEnd.Exhausted, why })
  }
  return checkAgain(await ports.journal.advance(intent, nextAttemptMove(intent)), heard)
}

/** Reads what it is judged by: guards and present values, and nothing of it from a record. */
function readGuards(intent: OpenWithdrawal, { guard, service }: WithdrawPorts): Promise<MovementGuards> {
  return guard.read(intent, approvableWithdrawal(intent), service)
}

/** The halt in force for the policy as the deployed file has it, or for everything. */
function findHalt({ policy }: MovementGuards, { halts }: WithdrawPorts): Promise<Halt | undefined> {
  return halts.find(policy?.name)
}

function findUnapproved(
  intent: OpenWithdrawal,
  guards: MovementGuards,
  guard: MovementGuard,
): Promise<GuardRefusal | undefined> {
  return guard.findUnapproved(guardedWithdrawal(intent, parseDecimal(intent.frozen.fee, 'fee'), guards))
}

/** Whether a holder of the lane waits for people. A holder whose guards cannot be read is never sent, so it may be passed. */
async function mayBePassed(holder: OpenWithdrawal, ports: WithdrawPorts): Promise<boolean> {
  try {
    return (await findUnapproved(holder, await readGuards(holder, ports), ports.guard)) !== undefined
  } catch (error) {
    if (error instanceof Refused || error instanceof Defect) return true
    throw error
  }
}

/** Reports a refusal for now. Only the approval guard makes it wait for people. */
async function heldBy(
  { guardedBy, why }: GuardRefusal,
  intent: OpenWithdrawal,
  ports: WithdrawPorts,
  { waits, awaited }: { readonly waits: number; readonly awaited: string | undefined },
): Promise<WithdrawReport> {
  if (guardedBy !== GuardCode.Approval) return held(intent, ports, waits, why)
  return awaitingApproval(await held(intent, ports, waits, why, guardedBy), intent, awaited)
}

function checkAgain({ intentId, attemptNumber: attempts }: OpenWithdrawal, why: string): WithdrawReport {
  return { outcome: WithdrawStep.Again, intentId, attempts, why }
}

/** Records newly seen rows. Every later list must contain them, or it would seem to prove that nothing moved. */
async function noteSeen(intent: OpenWithdrawal, matches: Matches, { journal }: WithdrawPorts): Promise<OpenWithdrawal> {
  const seen = findNewlySeen(attemptOf(intent), [...matches.exact, ...matches.near])
  return seen === undefined ? intent : journal.advance(intent, seenMove(intent, seen))
}

/**
 * Settles a 201, which proves that money moves. Its row counts only if it is new and as requested. An empty list before
 * the send cannot prove that a row is new, so then the row's date must.
 */
async function settleAnswered(
  intent: OpenWithdrawal,
  row: WithdrawalState,
  ports: WithdrawPorts,
): Promise<WithdrawReport> {
  const attempt = attemptOf(intent)
  const isAsRequested = matchRows([row], attempt, intent.frozen).exact.length === 1
  const isNew = attempt.known.length > 0 || !isDatedBefore(row, attempt)
  if (isAsRequested && isNew) return settle(intent, ports, row.id, ACCEPTED)
  const why = `the service said yes and named withdrawal ${row.id}, which was there before the send or is not what was asked for`
  const move = escalateMove(intent, WithdrawEnd.NeedsAttention, why, candidatesOf([row]), ACCEPTED)
  return reportEnd(await ports.journal.advance(intent, move))
}

/** Several rows, or a row that is only similar: a person decides, with the evidence. */
async function escalate(
  intent: OpenWithdrawal,
  matches: Matches,
  writers: string | undefined,
  lost: string | undefined,
  ports: WithdrawPorts,
): Promise<WithdrawReport> {
  const rows = [...matches.exact, ...matches.near]
  const whose = writers ?? (lost && `withdrawal ${lost}, whose record the journal has lost, may have made one of them`)
  const why = whose
    ? `new rows that may be this withdrawal: ${rows.length}; ${whose}`
    : `new rows that match this withdrawal: ${matches.exact.length}; that are like it: ${matches.near.length}`
  const move = escalateMove(intent, WithdrawEnd.NeedsAttention, why, candidatesOf(rows))
  return reportEnd(await ports.journal.advance(intent, move))
}
