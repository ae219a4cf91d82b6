// Whether the evidence speaks against a person's word on a withdrawal in doubt. Reads only.
import { IntentState } from '../../contract/records.ts'
import type { Timing } from '../../contract/timing.ts'
import { Refused } from '../errors.ts'
import { withdrawalFenceMs } from '../journal/fence.ts'
import { attemptOf } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { Examine } from '../journal/resolution.ts'
import type { WithdrawalService, WithdrawalState } from '../service/ports.ts'
import { matchRows } from './match.ts'
import type { WithdrawIntent } from './withdraw-intent.ts'

export interface ExamineWithdrawalPorts {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly service: WithdrawalService
  readonly timing: Timing
}

/** As in functions/withdraw. */
const ROWS_LIMIT = 10_000

/** Past its fence only: before it, a copy of the request may still make the row that a person would miss. */
export function examineWithdrawal({ journal, service, timing }: ExamineWithdrawalPorts): Examine<WithdrawIntent> {
  return async (intent, movementId) => {
    const fenceMs = withdrawalFenceMs(attemptOf(intent), timing)
    await service.clock.measure()
    if (service.clock.reachedMs() <= fenceMs) {
      throw new Refused(`until ${new Date(fenceMs).toISOString()} a copy of the request may still be accepted`)
    }
    const rows = await service.listWithdrawals({ assetSymbol: intent.frozen.assetSymbol }, ROWS_LIMIT)
    const open = await unclaimedByOthers(likely(rows, intent), intent, journal)
    if (movementId === undefined) assertNone(open)
    else {
      assertLike(await findRow(movementId, intent, service), intent)
      await assertFree(movementId, intent, journal)
      assertOnlyChoice(movementId, intent, open)
    }
  }
}

const likely = (rows: readonly WithdrawalState[], intent: WithdrawIntent): WithdrawalState[] => {
  const { exact, near } = matchRows(rows, attemptOf(intent), intent.frozen)
  return [...exact, ...near]
}

async function unclaimedByOthers(
  rows: readonly WithdrawalState[],
  { intentId }: WithdrawIntent,
  journal: Pick<Journal, 'findClaim'>,
): Promise<WithdrawalState[]> {
  const open: WithdrawalState[] = []
  for (const row of rows) if ([undefined, intentId].includes(await journal.findClaim(row.id))) open.push(row)
  return open
}

function assertNone(open: readonly WithdrawalState[]): void {
  if (open.length === 0) return
  const ids = open.map(({ id }) => id).join(', ')
  throw new Refused(`${open.length} withdrawals that no other intent has claimed may be it: ${ids}`)
}

async function findRow(
  movementId: string,
  { frozen }: WithdrawIntent,
  service: WithdrawalService,
): Promise<WithdrawalState> {
  const row = await service.findWithdrawal(movementId)
  if (!row) throw new Refused(`the service has no withdrawal ${movementId}`)
  if (row.assetSymbol !== frozen.assetSymbol) {
    throw new Refused(
      `withdrawal ${movementId} is of ${row.assetSymbol ?? 'another asset'}, not of ${frozen.assetSymbol}`,
    )
  }
  return row
}

function assertLike(row: WithdrawalState, intent: WithdrawIntent): void {
  if (likely([row], intent).length > 0) return
  const { amount, assetSymbol } = intent.frozen
  throw new Refused(
    `withdrawal ${row.id} was there before the send, or is unlike the ${amount} ${assetSymbol} asked for`,
  )
}

async function assertFree(
  movementId: string,
  { intentId }: WithdrawIntent,
  journal: Pick<Journal, 'findClaim'>,
): Promise<void> {
  const holder = await journal.findClaim(movementId)
  if (holder === undefined || holder === intentId) return
  throw new Refused(`withdrawal ${movementId} is already claimed by intent ${holder}`)
}

/** A step may still be settling an armed intent on the row that it found: then there is no choice to make. */
function assertOnlyChoice(movementId: string, { state }: WithdrawIntent, open: readonly WithdrawalState[]): void {
  if (state === IntentState.Armed && open.some(({ id }) => id !== movementId))
    throw new Refused('several withdrawals may be it, and the run has not halted on them: enter it again first')
}
