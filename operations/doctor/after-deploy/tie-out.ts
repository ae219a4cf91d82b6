// Ties out the conversion of a verification: the order at the service, the claim in the journal, and the report of the
// execution agree to the last digit. Then the deployed audit checks all that is open. This file writes nothing itself.

import { randomUUID } from 'node:crypto'
import { addFill, findFillDifference, findOrderFault, NO_FILLS } from '../../../core/audit/judge-movement.ts'
import { journaled, tieOut } from '../../../core/audit/tie-out.ts'
import type { ConvertFill } from '../../../core/contract/convert.ts'
import { IntentKind, IntentState } from '../../../core/contract/records.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { findUnproven } from '../../../core/movements/follows.ts'
import type { Order } from '../../../core/service/orders.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { type Deployment, deploymentOf } from '../../../place/aws/aws-address.ts'
import { journalTable } from '../../../place/journal/journal-client.ts'
import { operationErrorOf } from '../../../place/operation-error.ts'
import { auditAt } from '../../journal/call-audit.ts'
import { type Check, fail, ok } from '../check.ts'
import type { Converted } from './convert-once.ts'

const TIE_OUT = 'tie-out'
const AUDIT = 'audit'
/** The audit judges what moved after a time and not at it, so it starts this many ms earlier. */
const BEFORE_MS = 1_000

interface Moved extends Pick<Converted, 'intentId' | 'result'> {
  readonly treasury: Pick<Treasury, 'environment'>
  /** The configuration file that was named. */
  readonly config: string | undefined
}

export async function tieOutChecks(
  moved: Moved,
  client: Pick<ServiceClient, 'order' | 'walkFillsOf'>,
): Promise<readonly Check[]> {
  const deployment = deploymentOf(moved.treasury)
  const { config, intentId, result } = moved
  const flags = { aws: true, ...(config !== undefined && { config }) } as const
  const look = { do: 'show-movement', id: intentId, at: flags } as const
  const table = journalTable(deployment)
  try {
    const { orderId = '' } = result
    const journal = createJournal(createDynamoStore(table.client, table.tableName), randomUUID)
    const [order, fills, intent, claimedBy] = await Promise.all([
      client.order(orderId),
      collect(client.walkFillsOf(orderId)),
      journal.find(intentId, IntentKind.Convert),
      journal.findClaim(IntentKind.Convert, orderId),
    ])
    const differences = differencesIn({ result, order, fills, intent, claimedBy })
    const tied = `order ${orderId}: the service, the journal and the result say the same`
    const check = differences.length === 0 ? ok(TIE_OUT, tied) : fail(TIE_OUT, differences.join('; '), look)
    return [check, await auditCheck(order, deployment, flags)]
  } catch (error) {
    return [fail(TIE_OUT, `not known: ${operationErrorOf(error).message}`, look)]
  } finally {
    table.client.destroy()
  }
}

async function collect<Each>(all: AsyncIterable<Each>): Promise<readonly Each[]> {
  const found: Each[] = []
  for await (const each of all) found.push(each)
  return found
}

export interface Evidence extends Pick<Moved, 'result'> {
  readonly order: Order
  readonly fills: readonly Pick<ConvertFill, 'baseAmount' | 'quoteAmount'>[]
  readonly intent: Intent | undefined
  /** The intent that claims the order in the journal. */
  readonly claimedBy: string | undefined
}

/** One text for each difference. */
export function differencesIn({ claimedBy, fills, intent, order, result }: Evidence): readonly string[] {
  const { id, market, side, filledBaseAmount: baseAmount, filledQuoteAmount: quoteAmount } = order
  const { findings } = tieOut({
    movements: [{ kind: 'order', id, market, side, baseAmount, quoteAmount }],
    intents: intent === undefined ? [] : [journaled(intent)],
    results: [result],
    violations: [],
  })
  const isDone = intent?.state === IntentState.Done && intent.ref === id
  const sums = fills.reduce(addFill, NO_FILLS)
  const fault = isDone
    ? (findUnproven(intent, claimedBy) ?? findOrderFault(order, intent, sums) ?? findFillDifference(order, sums))
    : undefined
  return [...findings, ...(fault === undefined ? [] : [fault])]
}

/** The deployed audit leaves young movements to a later audit, so the check says from when it judges this order. */
async function auditCheck(
  { createdAt }: Pick<Order, 'createdAt'>,
  deployment: Deployment,
  flags: { readonly aws: true; readonly config?: string },
): Promise<Check> {
  const since = new Date(Date.parse(createdAt) - BEFORE_MS).toISOString()
  const again = { do: 'audit', since, at: flags } as const
  try {
    const { allFrom, findings, findingsTotal } = await auditAt(deployment, { since }, again)
    if (findingsTotal > 0) return fail(AUDIT, findings.map(({ message }) => message).join('; '), again)
    return ok(AUDIT, `it ran, with no finding; from ${allFrom} on it judges this order too`, again)
  } catch (error) {
    const { message, next } = operationErrorOf(error)
    return fail(AUDIT, message, next)
  }
}
