// State Order: executes a quote at most once, or finds out what became of a send. Reads the journal first, so entering
// it again after any crash is safe. No other file sends orders.

import type { Clock, NewId } from '../../core/clock.ts'
import type { ConvertReport, OrderInput, QuoteAnswer, QuotedTerms } from '../../core/contract/convert.ts'
import { ConvertEnd, ConvertStep, GuardCode } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { IntentLost, KeyFault, Transient } from '../../core/errors.ts'
import type { MovementGuard, MovementGuards } from '../../core/guards/movement-guard.ts'
import { nextDeadMs, orderDeadMs, orderFenceMs, orderFenceTiming } from '../../core/journal/fence.ts'
import { type Halt, type Halts, haltText } from '../../core/journal/halts.ts'
import { attemptOf, type ConvertIntent, type OpenConversion } from '../../core/journal/intent.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { answeredMove, armMove, guardedMove, nextAttemptMove, type Refusal } from '../../core/journal/moves.ts'
import { accountOfSigner, readWithOwnKey, stageOf } from '../../core/journal/own-key.ts'
import { termsHashOf } from '../../core/journal/terms.ts'
import { findQuoteDifference } from '../../core/movements/conversion/as-requested.ts'
import {
  approvableConversion,
  findQuoteBreach,
  guardedConversion,
  quoteRequestOf,
  waitingConversion,
} from '../../core/movements/conversion/convert-intent.ts'
import { reportPolledOrder } from '../../core/movements/conversion/poll.ts'
import { reportEnd } from '../../core/movements/conversion/report.ts'
import { assertAsRequested, assertClaimed } from '../../core/movements/follows.ts'
import { HELD_WAIT, UNREAD_WAITS, waitAfter } from '../../core/movements/polling.ts'
import { awaitingApproval, verdictsOf } from '../../core/movements/verdicts.ts'
import type { ConversionService, OrderSender, OrderState, PreparedSend } from '../../core/service/ports.ts'

export interface OrderPorts {
  readonly journal: Journal
  readonly halts: Pick<Halts, 'find'>
  readonly guard: MovementGuard
  readonly service: ConversionService
  readonly sender: OrderSender
  readonly newId: NewId
  readonly clock: Clock
  readonly timing: Timing
  /** Whether the service's rate limit has room for more polls than the first. */
  readonly mayLookOn?: () => boolean
}

const { settle, end, timeRanOut, held, uncertain } = verdictsOf<OpenConversion, OrderPorts, ConvertReport>({
  noun: 'order',
  exhausted: ConvertEnd.ExpiredOut,
  heard: (intent) => attemptOf(intent).said?.text ?? 'the answer to the order was lost',
  facts: (intent) => ({
    intentId: intent.intentId,
    orderId: attemptOf(intent).orderId,
    attempts: intent.attemptNumber,
  }),
  // Polled here, because one transition of the state machine costs as much as many seconds of polling.
  report: (intent, ports) => reportPolledOrder(intent, 0, ports),
  reportEnd,
})

/** @throws Transient, KeyFault, IntentLost, Refused, Defect. Enter the step again: it continues from the journal. */
export async function order({ request, said: answer }: OrderInput, ports: OrderPorts): Promise<ConvertReport> {
  const { intentId, settled, awaited } = answer
  const intent = await ports.journal.find(intentId, IntentKind.Convert)
  if (!intent) throw new IntentLost(intentId)
  assertAsRequested(intent, request)
  const report = await continueFrom(intent, answer, ports)
  if (!REENTERED.has(report.outcome)) return report
  return { ...(settled !== undefined && { settled }), ...(awaited !== undefined && { awaited }), ...report }
}

/** Outcomes after which this step or Quote is entered again, with the terms that this execution has settled. */
const REENTERED: ReadonlySet<string> = new Set([
  ConvertStep.Held,
  ConvertStep.AwaitingApproval,
  ConvertStep.Uncertain,
  ConvertStep.QuoteExpired,
])

async function continueFrom(intent: ConvertIntent, answer: QuoteAnswer, ports: OrderPorts): Promise<ConvertReport> {
  const { quote, attempt, settled, awaited, waits, why } = answer
  switch (intent.state) {
    case IntentState.Ready:
      if (!quote && waits !== undefined) return waitItsTurn(intent, ports, { waits, why, awaited })
      if (!quote || attempt !== intent.attemptNumber) return quoteAgain(intent, 'the quote is of another attempt')
      if (settled !== termsHashOf(intent)) return quoteAgain(intent, 'its terms are not those of this execution')
      return placeOrder(intent, quote, awaited, ports)
    case IntentState.Armed:
      return settleDoubt(intent, ports, waits ?? 0)
    case IntentState.Done:
      await assertClaimed(intent, ports.journal)
      return reportPolledOrder(intent, 0, ports)
    default:
      return reportEnd(intent)
  }
}

/** Guards, ARM, then the one send of this attempt. */
async function placeOrder(
  intent: OpenConversion,
  terms: QuotedTerms,
  awaited: string | undefined,
  ports: OrderPorts,
): Promise<ConvertReport> {
  const { journal, service, sender, guard, timing } = ports
  // Measured here, because the time dates the quote, and the send then uses a connection that just worked.
  await service.clock.measure()
  // Read once, because this machine's clock may be set while the step waits below.
  const reachedMs = service.clock.reachedMs()
  const late = await endIfLate(intent, terms, ports)
  if (late) return late
  // Quote has checked this already, but the input may have been changed on its way.
  const difference = findQuoteDifference(intent, terms)
  if (difference) return end(intent, ports, { state: 'REJECTED', outcome: ConvertEnd.Rejected, why: difference })
  const made = await prepare(intent, terms, ports)
  if ('fault' in made) return heldForKey(intent, made.fault, ports)
  const { prepared, account, guards, price } = made
  const breach = findQuoteBreach(intent, terms) ?? findQuoteBreach(withPrice(intent, price), terms)
  if (breach) return endGuarded(intent, ConvertEnd.PriceRefused, { why: breach, guardedBy: GuardCode.Price }, ports)
  const sent = { exp: prepared.facts.exp, quoteExpiresAt: terms.expiresAt }
  const quiet = guard.findQuiet(guards, reachedMs, orderDeadMs(sent, timing))
  if (quiet) return held(intent, ports, 0, quiet)
  // Read before budgets are taken, so that a halted order takes no room from others.
  const halted = await findHalt(guards, ports)
  if (halted) return held(intent, ports, 0, haltText(halted))
  const span = { fromMs: reachedMs, toMs: orderFenceMs({ ...prepared.facts, quoteExpiresAt: terms.expiresAt }, timing) }
  const refusal = await guard.admit(guardedConversion(intent, terms, guards), span, service)
  // A guard's verdict on the balance of another account proves nothing about this account.
  if ((await service.keyInUse()) !== prepared.facts.kid) return quoteAgain(intent, 'the key was replaced')
  if (refusal?.isForNow && !refusal.isUnseen && refusal.guardedBy === GuardCode.Approval)
    return awaitingApproval(heldByAge(intent, refusal.why, ports), intent, awaited)
  if (refusal?.isForNow) return heldByAge(intent, refusal.why, ports)
  if (refusal) return endGuarded(intent, ConvertEnd.Rejected, refusal, ports)
  const halt = await findHalt(guards, ports)
  if (halt) return held(intent, ports, 0, haltText(halt))
  const armed = await journal.advance(
    intent,
    armMove(intent, {
      ...prepared.facts,
      owner: ports.newId(),
      fenceTiming: orderFenceTiming(timing),
      ...(account !== undefined && { account }),
      orderId: terms.orderId,
      quoteExpiresAt: terms.expiresAt,
      terms: { market: terms.market, rate: terms.rate, baseAmount: terms.baseAmount, quoteAmount: terms.quoteAmount },
    }),
  )
  // A slow journal uses up the quote's five seconds too.
  const lateByNow = await endIfLate(armed, terms, ports)
  if (lateByNow) return lateByNow
  const answer = await prepared.send()
  if (answer.kind === 'accepted') return settle(armed, ports, terms.orderId)
  if (answer.said.keyAtFault) sender.forgetKeys()
  return settleDoubt(await journal.advance(armed, answeredMove(armed, answer.said, service.clock.atMostMs())), ports, 0)
}

/** The present price guard: the tightest slippage, and the rate that it needs. Empty where nothing bounds it. */
type PriceNow = Pick<OpenConversion['frozen'], 'maxSlippageBps' | 'referenceRate'>

interface Made {
  readonly prepared: PreparedSend
  /** The account of the key that signed. */
  readonly account: string | undefined
  readonly guards: MovementGuards
  readonly price: PriceNow
}

/** Signs the order, and reads what it is judged by: guards and prices, and nothing of it from a record. */
async function prepare(
  intent: OpenConversion,
  terms: QuotedTerms,
  ports: OrderPorts,
): Promise<Made | { readonly fault: string }> {
  const { service, sender, timing } = ports
  try {
    const guards = await readGuards(intent, ports)
    const [prepared, price] = await Promise.all([
      sender.prepareOrder(terms.orderId, timing.tokenLifeSeconds),
      readPrice(intent, guards, ports),
    ])
    const { kid } = prepared.facts
    const account = await accountOfSigner(intent.frozen, kid, service)
    // A quote belongs to one account. Without proof that this key has the same account, another quote is requested.
    const isOfOneAccount =
      terms.kid === undefined ||
      terms.kid === kid ||
      (stageOf(terms.kid) === stageOf(kid) && account !== undefined && terms.account === account)
    if (isOfOneAccount) return { prepared, account, guards, price }
    service.forgetKeys()
    return { fault: `quoted with the key ${terms.kid}, and the key in use is ${kid}` }
  } catch (error) {
    // Returned, not thrown: a retry would find the quote expired, and lose an attempt.
    if (error instanceof KeyFault) return { fault: error.message }
    throw error
  }
}

function readGuards(intent: OpenConversion, { guard, service }: OrderPorts): Promise<MovementGuards> {
  return guard.read(intent, approvableConversion(intent), service)
}

async function readPrice(intent: OpenConversion, guards: MovementGuards, ports: OrderPorts): Promise<PriceNow> {
  const maxSlippageBps = ports.guard.slippageOf(intent.params.maxSlippageBps, guards)
  if (maxSlippageBps === undefined) return {}
  return { maxSlippageBps, referenceRate: await ports.service.indicativeRate(quoteRequestOf(intent)) }
}

/** The halt in force for the policy as the deployed file has it, or for everything. */
function findHalt({ policy }: MovementGuards, { halts }: OrderPorts): Promise<Halt | undefined> {
  return halts.find(policy?.name)
}

function withPrice(intent: OpenConversion, price: PriceNow): OpenConversion {
  return { ...intent, frozen: { ...intent.frozen, ...price } }
}

/** Continues after a wait, without a quote. A quote is requested only once nothing prevents the send. */
async function waitItsTurn(
  intent: OpenConversion,
  ports: OrderPorts,
  { waits, why: waitedFor, awaited }: Pick<QuoteAnswer, 'why' | 'awaited'> & { readonly waits: number },
): Promise<ConvertReport> {
  const { clock } = ports.service
  const [guards] = await Promise.all([readGuards(intent, ports), clock.measure()])
  const unapproved = await ports.guard.findUnapproved(waitingConversion(intent, guards))
  if (clock.nowMs() >= Date.parse(intent.notAfter)) {
    const waited = waitedFor === undefined ? undefined : { why: waitedFor }
    return timeRanOut(intent, ports, unapproved?.isForNow ? unapproved : waited)
  }
  const lastMs = nextDeadMs(clock.nowMs(), ports.timing)
  const quiet = ports.guard.findQuiet(guards, clock.reachedMs(), lastMs)
  if (quiet) return held(intent, ports, waits, quiet)
  // Without the hash of its terms Quote settles them again, so that people see the value for which they are asked.
  if (unapproved?.isUnseen) return { ...quoteAgain(intent, unapproved.why), settled: undefined }
  if (unapproved?.isForNow) {
    const { why, guardedBy } = unapproved
    return awaitingApproval(await held(intent, ports, waits, why, guardedBy), intent, awaited)
  }
  if (unapproved) return endGuarded(intent, ConvertEnd.Rejected, unapproved, ports)
  const halt = await findHalt(guards, ports)
  return halt ? held(intent, ports, waits, haltText(halt)) : quoteAgain(intent, 'its turn has come')
}

/**
 * Ends the intent or the attempt if it is too late. Only this process could send, and it has not, so there is no fence
 * to wait for.
 */
async function endIfLate(
  intent: OpenConversion,
  terms: QuotedTerms,
  ports: OrderPorts,
): Promise<ConvertReport | undefined> {
  const nowMs = ports.service.clock.nowMs()
  if (nowMs >= Date.parse(intent.notAfter)) return timeRanOut(intent, ports)
  if (terms.expiresAt !== null && Date.parse(terms.expiresAt) - nowMs < ports.timing.quoteMarginMs) {
    return endAttempt(intent, 'the quote was too old to send', ports)
  }
  return undefined
}

/**
 * Settles a doubt. An order proves a movement at any time. Its absence proves that nothing moved only past the fence.
 */
async function settleDoubt(intent: OpenConversion, ports: OrderPorts, waits: number): Promise<ConvertReport> {
  const { service, timing } = ports
  const { orderId, account, kid, said } = attemptOf(intent)
  const fenceMs = orderFenceMs(attemptOf(intent), timing)
  let reachedMs: number
  let found: OrderState | undefined
  try {
    ;[reachedMs, found] = await readWithOwnKey({ account, kid }, service, async () => {
      // Measure first and read after, so that a read that seems past the fence is past it.
      await service.clock.measure()
      return [service.clock.reachedMs(), await service.findOrder(orderId)]
    })
  } catch (error) {
    // An unreadable service, or a key that proves nothing, leaves the doubt as it was: check again later.
    const waitSeconds = waitAfter(waits, UNREAD_WAITS)
    if (error instanceof KeyFault) return uncertain(intent, { fenceMs, waits, waitSeconds, because: error.message })
    if (error instanceof Transient) return uncertain(intent, { fenceMs, waits, waitSeconds })
    throw error
  }
  if (found) return settle(intent, ports, orderId)
  const waitSeconds = Math.ceil((fenceMs - reachedMs) / 1000) + 1
  if (reachedMs <= fenceMs) return uncertain(intent, { fenceMs, waits, waitSeconds })
  if (said?.business) return end(intent, ports, { state: 'REJECTED', outcome: ConvertEnd.Rejected, why: said.text })
  // The key was refused, not the conversion. It waits, within its time, for a key that may send it.
  if (said?.keyAtFault)
    return heldForKey(await ports.journal.advance(intent, nextAttemptMove(intent)), said.text, ports)
  return endAttempt(intent, said?.text ?? 'the answer to the order was lost', ports)
}

/** The attempt is a certified zero: start another, or end the intent after the last. */
async function endAttempt(intent: OpenConversion, why: string, ports: OrderPorts): Promise<ConvertReport> {
  if (intent.attemptNumber >= ports.timing.attempts) {
    const last = `${intent.attemptNumber} attempts moved nothing; the last: ${why}`
    return end(intent, ports, { state: 'EXHAUSTED', outcome: ConvertEnd.ExpiredOut, why: last })
  }
  return quoteAgain(await ports.journal.advance(intent, nextAttemptMove(intent)), why)
}

async function endGuarded(
  intent: OpenConversion,
  outcome: ConvertEnd,
  refusal: Refusal,
  { journal }: OrderPorts,
): Promise<ConvertReport> {
  return reportEnd(await journal.advance(intent, guardedMove(intent, outcome, refusal)))
}

function quoteAgain(intent: OpenConversion, why: string): ConvertReport {
  return { outcome: ConvertStep.QuoteExpired, intentId: intent.intentId, attempts: intent.attemptNumber, why }
}

function heldForKey(intent: OpenConversion, why: string, ports: OrderPorts): ConvertReport {
  return { ...heldByAge(intent, why, ports), keyAtFault: true }
}

/**
 * HELD with a wait of a quarter of the intent's age, within the bounds of HELD_WAIT. The reason appears only with a
 * quote in hand, so no count of waits carries over.
 */
function heldByAge(intent: OpenConversion, why: string, { service }: OrderPorts): ConvertReport {
  const quarterSeconds = Math.ceil((service.clock.nowMs() - Date.parse(intent.createdAt)) / 4000)
  const { pollFirstWaitSeconds: shortest, pollLongestWaitSeconds: longest } = HELD_WAIT
  const waitSeconds = Math.min(Math.max(quarterSeconds, shortest), longest)
  const known = { intentId: intent.intentId, attempts: intent.attemptNumber, why }
  return { ...known, outcome: ConvertStep.Held, waits: 1, waitSeconds }
}
