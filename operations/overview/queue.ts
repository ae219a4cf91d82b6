// Reads the queue of one person: the plans and movements that this person may decide on now, and those that wait for
// others, each with its value, payees and times. Reads only.

import { asNotVerified } from '../../core/contract/person.ts'
import type { PlanLeg } from '../../core/contract/plan.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { isWithdrawal } from '../../core/journal/intent.ts'
import { decidable } from '../../core/runs/approval/decision.ts'
import { endOfWait } from '../../core/runs/approval/end-of-wait.ts'
import { assertDecidable, type MovementToDecide } from '../../core/runs/approval/movement-decision.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { findCaller } from '../../place/aws/caller.ts'
import type { JournalConnection } from '../../place/journal-connection.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import { isOnAws } from '../../place/settings.ts'
import { isFoundIn } from '../movements/request-row.ts'
import { findAsked } from '../runs/waiting-movements.ts'
import { alreadyText, type GivenApprovals } from '../words/approvals-text.ts'
import { payeeText } from '../words/request-words.ts'
import { runName } from '../words/run-name.ts'
import { type AccountNow, worthIn } from './account.ts'

export interface QueueItem extends GivenApprovals {
  readonly kind: 'run' | 'convert' | 'withdraw'
  readonly id: string
  /** The hash of the plan or of the terms. A decision carries it. */
  readonly hash: string
  readonly what: string
  readonly policy?: string
  /** Decimal text: the most that a movement spends, in settled units. Absent for a plan. */
  readonly amount?: string
  readonly asset?: string
  /** The turnover of a plan, or the value of a movement. Absent where no price is known. */
  readonly worth?: Worth
  /** The legs of a plan. Empty for a movement, which its name describes. */
  readonly moves: readonly PlannedMove[]
  readonly payees: readonly string[]
  /** ISO-8601: it waits since then, and nobody can approve it from `until` on. */
  readonly since: string
  readonly until: string
  /** The terms or the legs that are decided on, a line each. */
  readonly terms: readonly string[]
  /** Why this person cannot approve it. Absent: they can. */
  readonly mayNot?: string
}

/** One leg of a plan: what leaves the account, and what a conversion brings. Amounts such as `1.5 BTC`. */
export interface PlannedMove {
  /** Decimal text in the valuation asset of the plan. */
  readonly value: string
  readonly gives: string
  readonly brings?: string
}

/** Decimal text, and the asset in which it is counted. */
export interface Worth {
  readonly value: string
  readonly asset: string
}

export interface Queue {
  /** The person who looks. Empty: not known, and then nothing is sorted out. */
  readonly by: string
  readonly find: string
  /** The earliest deadline first. */
  readonly mine: readonly QueueItem[]
  readonly others: readonly QueueItem[]
}

/**
 * `by`: the name of the person at a desk. On AWS it is the owner of the credentials. `account`: values a movement that no
 * guard has valued.
 */
export async function readQueue(
  reader: Reader,
  { by: name, find }: { readonly by: string; readonly find: string },
  account: AccountNow,
): Promise<Queue & Everywhere> {
  const nowMs = reader.context.clock.nowMs()
  const isAws = isOnAws(reader.flags)
  return atJournal(reader, async (connection) => {
    const by = isAws ? await findCaller() : name && asNotVerified(name)
    const items = [
      ...(await readPlans(connection, by, nowMs)),
      ...(await readMovements(connection, by, nowMs, account)),
    ]
      .filter((item) => isFound(item, find))
      .sort((one, other) => Date.parse(one.until) - Date.parse(other.until) || (one.id < other.id ? -1 : 1))
    return {
      ...{ by, find },
      mine: items.filter(({ mayNot }) => mayNot === undefined),
      others: items.filter(({ mayNot }) => mayNot !== undefined),
    }
  })
}

async function readPlans({ runJournal }: JournalConnection, by: string, nowMs: number): Promise<readonly QueueItem[]> {
  const waiting = (await runJournal.awaiting()).filter((run) => endOfWait(run, nowMs) === undefined)
  return waiting.map((run) => planItem(run, by, nowMs))
}

function planItem(run: RunRecord, by: string, nowMs: number): QueueItem {
  const { runId, policy, plan, approval, startedAt } = run
  const planHash = approval?.planHash ?? ''
  const approvedBy = (approval?.approvals ?? []).map((each) => each.by)
  const mayNot =
    alreadyText(by, approvedBy) ??
    refusalOf(() => decidable(run, { planHash, decision: 'approved', at: isoOf(nowMs), ...(by !== '' && { by }) }))
  const legs = plan?.legs ?? []
  const payees = legs.flatMap((leg) => ('payee' in leg && leg.payee !== undefined ? [leg.payee] : []))
  return {
    ...{ kind: 'run', id: runId, hash: planHash, policy, what: runName(run) },
    ...(plan !== undefined && { worth: { value: plan.turnover, asset: plan.valuationAsset } }),
    moves: legs.map(moveOf),
    payees: [...new Set(payees.map((payee) => payeeText(payee.contactId, payee)))],
    ...{ since: plan?.takenAt ?? startedAt, until: approval?.expiresAt ?? '', approvedBy },
    needed: approval?.needed ?? 1,
    terms: legs.map(({ key, reason }) => `${key}: ${reason}`),
    ...(mayNot !== undefined && { mayNot }),
  }
}

function moveOf(leg: PlanLeg): PlannedMove {
  const { value } = leg
  if (leg.kind === IntentKind.Withdraw) return { value, gives: `${leg.total} ${leg.assetSymbol}` }
  const { gives, brings } = leg
  return { value, gives: `${gives.amount} ${gives.asset}`, brings: `${brings.amount} ${brings.asset}` }
}

async function readMovements(
  connection: JournalConnection,
  by: string,
  nowMs: number,
  account: AccountNow,
): Promise<readonly QueueItem[]> {
  const { intents } = await connection.openIntents({ onMisfit: () => undefined })
  const found = await findAsked(intents, connection, nowMs)
  return found.filter(({ waiting }) => !waiting.isOver).map((each) => movementItem(each, by, nowMs, account))
}

function movementItem(
  { asked, waiting }: Awaited<ReturnType<typeof findAsked>>[number],
  by: string,
  nowMs: number,
  account: AccountNow,
): QueueItem {
  const { most, assetSymbol, intent } = asked
  const { kind, intentId, name: what, policy, since, expiresAt: until, approvedBy, needed, terms, termsHash } = waiting
  const worth = worthOf(asked, account)
  const mayNot =
    alreadyText(by, approvedBy) ??
    refusalOf(() =>
      assertDecidable(asked, { termsHash, decision: 'approved', at: isoOf(nowMs), ...(by !== '' && { by }) }),
    )
  return {
    ...{ kind, id: intentId, hash: termsHash, what, amount: most, asset: assetSymbol },
    ...(worth !== undefined && { worth }),
    ...(policy !== undefined && { policy }),
    moves: [],
    payees: isWithdrawal(intent) ? [payeeText(intent.frozen.contactId, intent.frozen.payee)] : [],
    ...{ since, until, approvedBy, needed, terms },
    ...(mayNot !== undefined && { mayNot }),
  }
}

/** The value that a guard has counted when it asked people. Where guards bound only the amount, that of the account's holding. */
function worthOf({ rules, most, assetSymbol }: MovementToDecide, account: AccountNow): Worth | undefined {
  const counted = rules.find(({ value }) => value !== '0')
  if (counted !== undefined) return { value: counted.value, asset: counted.valuationAsset }
  const value = worthIn(account, assetSymbol, most)
  return value === undefined ? undefined : { value, asset: 'USD' }
}

function refusalOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

function isFound({ id, what, policy = '', amount, asset, worth, payees, terms }: QueueItem, find: string): boolean {
  const values = [
    amount === undefined ? '' : `${amount} ${asset}`,
    worth === undefined ? '' : `${worth.value} ${worth.asset}`,
  ]
  return isFoundIn([id, what, policy, ...values, ...payees, ...terms], find)
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
