// State CheckWithdrawal: settles the terms of a withdrawal (contact by id, network, fee, quantised amount, values), and
// refuses an invalid withdrawal before anything is sent. Moves no money.

import { intentIdOf } from '../../core/contract/fields.ts'
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { type CheckWithdrawalInput, type WithdrawReport, withdrawRequest } from '../../core/contract/withdraw.ts'
import { KeyFault, Refused } from '../../core/errors.ts'
import { guardSets } from '../../core/guards/effective-guards.ts'
import type { GuardSettings, PolicyTerms } from '../../core/guards/policy-terms.ts'
import { findUnitValues } from '../../core/guards/unit-values.ts'
import type { Intent, WithdrawFrozen, WithdrawIntent } from '../../core/journal/intent.ts'
import { assertSameParams, type Journal } from '../../core/journal/journal.ts'
import { type Refusal, zeroMove } from '../../core/journal/moves.ts'
import { assertKeyKept, settleAccount, stageOf } from '../../core/journal/own-key.ts'
import type { Pin, PinnedAccount } from '../../core/journal/pinned-account.ts'
import { settledNotAfter, settleIntent, termsHashOf } from '../../core/journal/terms.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import { assertAsRequested } from '../../core/movements/follows.ts'
import { refusedNow } from '../../core/movements/refused-now.ts'
import { findContactChange } from '../../core/movements/withdrawal/payee.ts'
import type { WithdrawalTerms } from '../../core/movements/withdrawal/ports.ts'
import { findExcess } from '../../core/movements/withdrawal/route.ts'
import { parseWith } from '../../core/parse.ts'
import { findOpenTry, type SettledReads } from '../../core/runs/plan/payments.ts'
import { findDestination, settleTerms } from './settle-terms.ts'

interface CheckWithdrawalPorts {
  readonly journal: Journal
  readonly account: PinnedAccount
  readonly terms: WithdrawalTerms
  /** Reads what became of earlier tries of a row. */
  readonly service: SettledReads
  readonly guards: GuardSettings
  readonly timing: Timing
}

/**
 * Settles the terms of an intent that has sent nothing yet. An existing record is settled again, because only terms
 * that this execution has settled may be sent. Returns CHECKED with the hash of the terms, or RECORDED, where the
 * journal has the result (also a refusal by these checks). Throws Refused for an invalid request, which is not
 * recorded.
 * @throws Transient, Defect
 */
export async function checkWithdrawal(
  input: CheckWithdrawalInput,
  ports: CheckWithdrawalPorts,
): Promise<WithdrawReport> {
  const { startedAt } = input
  const intentId = intentIdOf(input.execution)
  const { journal, terms, guards, timing } = ports
  const request = parseWith(withdrawRequest, input.request, 'input')

  const ready = await journal.find(intentId, IntentKind.Withdraw)
  if (ready) assertSameParams(ready, request)
  if (ready && ready.state !== IntentState.Ready) return { outcome: WithdrawStep.Recorded, intentId }
  if (ready) assertAsRequested(ready, request)
  const policy = await guards.policies.find(request, intentId)
  await terms.clock.measure()
  await assertFirstTry(policy, ports)
  const opening = {
    intentId,
    kind: IntentKind.Withdraw,
    params: request,
    createdAt: startedAt,
    // In service time, which also judges it. The clock of the machine that started the run may differ.
    notAfter: settledNotAfter(request, terms.clock.nowMs() + timing.intentLifeSeconds * 1000, ready),
  }
  const settle = (frozen: WithdrawIntent['frozen'], refusal: Refusal | undefined) =>
    // In one write: after a crash between two writes, another process would find it READY and send it.
    settleIntent<typeof IntentKind.Withdraw>(
      ready,
      { ...opening, frozen },
      refusal && { state: IntentState.Rejected, outcome: WithdrawEnd.Rejected, ...refusal },
      journal,
    )
  // Use one key for all reads: another account has other contacts and another balance.
  const kid = await terms.keyInUse()
  const contact = await findDestination(request, stageOf(kid), terms)
  const changed =
    (policy?.payee && findContactChange(policy.payee, contact, 'it was planned')) ??
    (ready && findContactChange(ready.frozen.payee, contact, 'it was checked'))
  if (changed) {
    await assertKeyKept(kid, terms)
    // Ended: the planned contact no longer exists, so there are no terms to settle.
    return recorded(await settle(ready?.frozen ?? {}, changed), startedAt)
  }
  const settled = await settleTerms(request, contact, await accountFor(ports), terms)
  const { assetSymbol, rebasedSymbol, contactId } = settled
  const movement = { kind: IntentKind.Withdraw, assetSymbol, rebasedSymbol, contactId }
  const sets = guardSets(guards.everywhere, policy)
  const unitValues = await findUnitValues(movement, sets, policy?.hubs ?? [], terms)
  const frozen: WithdrawFrozen = { ...settled, payee: contact, ...(unitValues && { unitValues }) }
  await assertKeyKept(kid, terms)
  const excess = findExcess(request, frozen, parseDecimal(frozen.total, 'total'))
  // Terms beyond the request do not follow from it. An intent that was armed before ends with its earlier terms.
  const intent = await settle(excess === undefined ? frozen : (ready?.frozen ?? frozen), excess)
  if (intent.state !== IntentState.Ready) return recorded(intent, startedAt)
  const why = await findShortfall(frozen, terms)
  await assertKeyKept(kid, terms)
  if (why === undefined) return { outcome: WithdrawStep.Checked, intentId, settled: termsHashOf(intent) }
  const ended = await journal.advance(intent, zeroMove(intent, IntentState.Rejected, WithdrawEnd.Rejected, why))
  return recorded(ended, startedAt)
}

/** A row is tried again only once each earlier try has certainly moved nothing. PlanSweep says so, and is not believed. */
async function assertFirstTry(
  policy: PolicyTerms | undefined,
  { journal, service, timing }: CheckWithdrawalPorts,
): Promise<void> {
  const open = policy?.tried && (await findOpenTry(policy.tried, { journal, service, treasury: { timing } }))
  if (open !== undefined)
    throw new Refused(`input.run: intent ${open} tried this row before, and it is not certain that it moved nothing`)
}

function recorded(intent: Intent, startedAt: string): WithdrawReport {
  return { outcome: WithdrawStep.Recorded, intentId: intent.intentId, ...refusedNow(intent, startedAt) }
}

/** The account names the lane, so it must be known. @throws KeyFault */
async function accountFor({ account, terms }: CheckWithdrawalPorts): Promise<Pin> {
  const known = await settleAccount(account, terms)
  if (known !== undefined) return known
  throw new KeyFault('the key may not read its account, and no key before it has: give it the scope accounts:read')
}

/** Checks the balance, as the service does. A shortfall found here needs no wait for a fence. */
async function findShortfall(
  { assetSymbol, total }: WithdrawFrozen,
  terms: WithdrawalTerms,
): Promise<string | undefined> {
  const balance = await terms.balance(assetSymbol)
  if (parseDecimal(balance, `balance of ${assetSymbol}`) >= parseDecimal(total, 'total')) return undefined
  return `the balance of ${balance} ${assetSymbol} does not cover the total of ${total}`
}
