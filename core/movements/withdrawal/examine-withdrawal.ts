// Says whether the evidence contradicts a person's decision on a withdrawal in doubt. Reads only, and settles nothing.
import { IntentKind, IntentState } from '../../contract/records.ts'
import type { Timing } from '../../contract/timing.ts'
import { Defect, KeyFault, Refused, Transient } from '../../errors.ts'
import { withdrawalFenceMs } from '../../journal/fence.ts'
import { assertArmed, attemptOf, type OpenWithdrawal, type WithdrawIntent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Lanes } from '../../journal/lanes.ts'
import { type KeyStatement, readWithOwnKey, signerOf } from '../../journal/own-key.ts'
import type { Examine } from '../../journal/resolution.ts'
import type { WithdrawalService, WithdrawalState } from '../../service/ports.ts'
import { assertShowsRowsOf, listRowsAround } from './known-rows.ts'
import { isAsRequested, isOfAsset, matchRows, rowsLike, rowsOfOthers } from './match.ts'
import { dropClaimed } from './other-writers.ts'
import { candidatesIn } from './report.ts'

export interface ExamineWithdrawalPorts {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly lanes: Pick<Lanes, 'findSenders'>
  readonly service: WithdrawalService
  readonly timing: Timing
  readonly word?: KeyStatement
}

/** Examines only past the fence: before it, a copy of the request may still make a row that a person would miss. */
export function examineWithdrawal(ports: ExamineWithdrawalPorts): Examine<WithdrawIntent> {
  const { service, timing, word } = ports
  return async (intent, movementId) => {
    assertArmed(intent)
    const attempt = attemptOf(intent)
    const fenceMs = withdrawalFenceMs(attempt, timing)
    const signer = signerOf({ account: intent.frozen.account, kid: attempt.kid }, undefined, word)
    const look = async () => {
      await service.clock.measure()
      if (service.clock.reachedMs() <= fenceMs) {
        throw new Refused(`until ${new Date(fenceMs).toISOString()} a copy of the request may still be accepted`)
      }
      if (movementId === undefined) {
        const list = listRowsAround(intent, timing, service)
        const rows = await list.catch((error: unknown) => Promise.reject(cannotTell(error)))
        const senders = await sendersBeside(intent, ports)
        const compared = assertShowsRowsOf(senders, rows, intent, timing, service)
        await compared.catch((error: unknown) => Promise.reject(cannotTell(error)))
        assertNone([...(await openRows(rows, senders, intent, ports)), ...(await namedRows(intent, ports))])
      } else await assertIsIt(movementId, intent, ports)
    }
    await readWithOwnKey(signer, service, look, word?.isSameAccount).catch((error: unknown) => {
      throw error instanceof KeyFault ? new Refused(error.message) : error
    })
  }
}

function sendersBeside(
  { intentId, frozen }: OpenWithdrawal,
  { lanes }: ExamineWithdrawalPorts,
): Promise<readonly WithdrawIntent[]> {
  return lanes.findSenders(frozen.account, frozen.assetSymbol, intentId)
}

/** The rows that may belong to the intent, and that no other intent has made or claimed. */
async function openRows(
  rows: readonly WithdrawalState[],
  senders: readonly WithdrawIntent[],
  intent: OpenWithdrawal,
  { journal }: ExamineWithdrawalPorts,
): Promise<readonly WithdrawalState[]> {
  const theirs = rowsOfOthers(rows, intent.frozen, senders)
  const left = rows.filter(({ id }) => !theirs.has(id))
  const { exact, near } = await dropClaimed(matchRows(left, attemptOf(intent), intent.frozen), intent.intentId, journal)
  return [...exact, ...near]
}

/**
 * Rows that the service named in its acceptance, even if they differ from the request: they are newer than the send, and no
 * other intent has claimed them. While such a row exists, nobody can say that nothing moved.
 */
async function namedRows(intent: OpenWithdrawal, ports: ExamineWithdrawalPorts): Promise<WithdrawalState[]> {
  const named: WithdrawalState[] = []
  for (const id of namedIds(intent)) {
    const row = await ports.service.findWithdrawal(id)
    const holder = row && (await ports.journal.findClaim(IntentKind.Withdraw, id))
    if (row && [undefined, intent.intentId].includes(holder)) named.push(row)
  }
  return named
}

/** Ids of the rows in the evidence of an acceptance that were not there before the send. */
function namedIds({ evidence, ...intent }: OpenWithdrawal): string[] {
  const { accepted, known } = attemptOf(intent)
  if (!accepted) return []
  const named = candidatesIn(evidence).map(({ id }) => id)
  return named.filter((id) => !known.some((row) => row.id === id))
}

function assertNone(open: readonly WithdrawalState[]): void {
  if (open.length === 0) return
  const ids = open.map(({ id }) => id).join(', ')
  throw new Refused(`${open.length} withdrawals that no other intent has claimed may be it: ${ids}`)
}

/** Adds the way out to a fault of the list: to settle the intent by the id of its row, where there is a row. */
function cannotTell(error: unknown): unknown {
  if (!isListFault(error)) return error
  const message = `it is not known whether a withdrawal may be it, because their list cannot be read whole (${error.message}); try again later, or settle it by the id of its withdrawal (--movement ID), if the service shows that`
  return new Refused(message, { cause: error })
}

function isListFault(error: unknown): error is Error {
  return error instanceof Defect || error instanceof Transient
}

/** Starts from the movement's id, so a list that cannot be read whole does not block it. */
async function assertIsIt(movementId: string, intent: OpenWithdrawal, ports: ExamineWithdrawalPorts): Promise<void> {
  const row = await findRow(movementId, intent, ports.service)
  assertLike(row, intent)
  const holder = await ports.journal.findClaim(IntentKind.Withdraw, movementId)
  if (![undefined, intent.intentId].includes(holder))
    throw new Refused(`withdrawal ${movementId} is already claimed by intent ${holder}`)
  assertNotAnothers(row, intent, await sendersBeside(intent, ports))
  // A step may still settle an armed intent by the row that it found: then no choice is left to a person.
  if (intent.state !== IntentState.Armed) return
  const rows = await listRowsAround(intent, ports.timing, ports.service).catch((error: unknown) => {
    // Without this there is no way out: no step settles the intent while the list cannot be read.
    if (isListFault(error) && isCertain(row, intent)) return [row]
    throw error
  })
  const open = await openRows(rows, await sendersBeside(intent, ports), intent, ports)
  if (open.some(({ id }) => id !== movementId))
    throw new Refused('several withdrawals may be it, and the run has not halted on them: enter it again first')
}

/**
 * A person may mistake the row of another withdrawal in flight for this one: then the other would be sent again. A row
 * that is not exactly this one's may also be the other's if it is only like it, while no person decides about the other.
 */
function assertNotAnothers(row: WithdrawalState, intent: OpenWithdrawal, senders: readonly WithdrawIntent[]): void {
  const other = senders.find((each) => rowsOfOthers([row], intent.frozen, [each]).size > 0)
  if (other !== undefined)
    throw new Refused(
      `withdrawal ${row.id} is exactly what ${other.intentId} requested, which is not settled yet: settle that one first`,
    )
  if (isAsRequested(row, intent.frozen)) return
  const armed = senders.find((each) => each.state === IntentState.Armed && rowsLike(each, [row]).length > 0)
  if (armed !== undefined)
    throw new Refused(
      `withdrawal ${row.id} may be the movement of ${armed.intentId}, which is in doubt too: wait until that one is settled, or waits for a person`,
    )
}

/** Whether the row is exactly what was asked for, or the service itself named it. */
function isCertain(row: WithdrawalState, intent: OpenWithdrawal): boolean {
  return matchRows([row], attemptOf(intent), intent.frozen).exact.length > 0 || namedIds(intent).includes(row.id)
}

async function findRow(
  movementId: string,
  { frozen, evidence }: OpenWithdrawal,
  service: WithdrawalService,
): Promise<WithdrawalState> {
  const row = await service.findWithdrawal(movementId)
  if (!row) throw new Refused(`the service has no withdrawal ${movementId}`)
  // The evidence holds rows that the service lists under the asset and shows with another one: the person has seen them.
  const isShown = candidatesIn(evidence).some(({ id }) => id === movementId)
  if (!isOfAsset(row, frozen) && !isShown) {
    throw new Refused(`withdrawal ${movementId} is of ${row.assetSymbol}, not of ${frozen.assetSymbol}`)
  }
  return row
}

function assertLike(row: WithdrawalState, intent: OpenWithdrawal): void {
  const { exact, near } = matchRows([row], attemptOf(intent), intent.frozen)
  // A row that the service itself named may differ: the person has seen it.
  if (exact.length + near.length > 0 || namedIds(intent).includes(row.id)) return
  const { amount, assetSymbol } = intent.frozen
  throw new Refused(
    `withdrawal ${row.id} was there before the send, or is unlike the ${amount} ${assetSymbol} asked for`,
  )
}
