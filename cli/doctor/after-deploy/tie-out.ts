// Ties the conversion of a verification out: what the service shows of the order, what the journal claims, and what the
// execution reported agree to the last digit. Then the deployed audit looks at all that is open. Reads only.
import { randomUUID } from 'node:crypto'
import { IntentKind, IntentState } from '../../../core/contract/records.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { formatDecimal, parseDecimal, sumOf } from '../../../core/money/decimal.ts'
import type { Fill } from '../../../core/service/fills.ts'
import type { Order } from '../../../core/service/orders.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { auditAt } from '../../reconcile/reconcile.ts'
import { journalTable } from '../../target/journal/journal-client.ts'
import { commandErrorOf } from '../../terminal/command-error.ts'
import { commandWith } from '../../terminal/command-line.ts'
import { type Check, fail, ok } from '../check.ts'
import type { Converted } from './convert-once.ts'

const TIE_OUT = 'tie-out'
const AUDIT = 'audit'
/** What moved after a time is judged, and not what moved at it. */
const BEFORE_MS = 1_000

interface Moved extends Pick<Converted, 'intentId' | 'result'> {
  readonly treasury: Pick<Treasury, 'environment'>
  /** As the command was given it. */
  readonly config: string | undefined
}

export async function tieOutChecks(
  moved: Moved,
  client: Pick<ServiceClient, 'order' | 'walkFillsOf'>,
): Promise<readonly Check[]> {
  const { environment } = moved.treasury
  const { config, intentId, result } = moved
  const flags = { aws: true, ...(config !== undefined && { config }) } as const
  const look = commandWith(`show ${intentId}`, flags)
  const table = journalTable({ environment })
  try {
    const { orderId = '' } = result
    const order = await client.order(orderId)
    const journal = createJournal(createDynamoStore(table.client, table.tableName), randomUUID)
    const differences = [
      ...(await journalDifferences(journal, intentId, orderId)),
      ...(await orderDifferences(order, moved, client)),
    ]
    const tied = `order ${orderId}: the service, the journal and the result say the same`
    const check = differences.length === 0 ? ok(TIE_OUT, tied) : fail(TIE_OUT, differences.join('; '), look)
    return [check, await auditCheck(order, { environment }, flags)]
  } catch (error) {
    return [fail(TIE_OUT, `not known: ${commandErrorOf(error).message}`, look)]
  } finally {
    table.client.destroy()
  }
}

async function journalDifferences(journal: Journal, intentId: string, orderId: string): Promise<string[]> {
  const [intent, claimedBy] = await Promise.all([
    journal.find(intentId, IntentKind.Convert),
    journal.findClaim(IntentKind.Convert, orderId),
  ])
  return [
    ...(intent?.state === IntentState.Done && intent.ref === orderId
      ? []
      : [`intent ${intentId} is ${intent?.state ?? 'not in the journal'}, and not DONE by order ${orderId}`]),
    ...(claimedBy === intentId ? [] : [`order ${orderId} is claimed by ${claimedBy ?? 'no intent'}`]),
  ]
}

async function orderDifferences(
  order: Order,
  { result }: Moved,
  client: Pick<ServiceClient, 'walkFillsOf'>,
): Promise<string[]> {
  const fills: Fill[] = []
  for await (const fill of client.walkFillsOf(order.id)) fills.push(fill)
  const legs = [
    { leg: 'baseAmount', shown: order.filledBaseAmount, reported: result.baseAmount },
    { leg: 'quoteAmount', shown: order.filledQuoteAmount, reported: result.quoteAmount },
  ] as const
  return legs.flatMap(({ leg, shown, reported = '0' }) => {
    const filled = formatDecimal(sumOf(fills.map((fill) => parseDecimal(fill[leg], leg))))
    return [
      ...(isSame(shown, reported) ? [] : [`${leg} is ${shown} at the service and ${reported} in the result`]),
      ...(isSame(shown, filled) ? [] : [`${leg} is ${shown}, and the fills add up to ${filled}`]),
    ]
  })
}

function isSame(left: string, right: string): boolean {
  return parseDecimal(left, 'amount') === parseDecimal(right, 'amount')
}

/** The deployed audit leaves what is young to a later one, so it is said from when on it judges this order. */
async function auditCheck(
  { createdAt }: Pick<Order, 'createdAt'>,
  deployment: Pick<Treasury, 'environment'>,
  flags: { readonly aws: true; readonly config?: string },
): Promise<Check> {
  const since = new Date(Date.parse(createdAt) - BEFORE_MS).toISOString()
  const again = commandWith(`reconcile --since ${since}`, flags)
  try {
    const { allFrom, findings, findingsTotal } = await auditAt(
      { environment: deployment.environment },
      { since },
      again,
    )
    if (findingsTotal > 0) return fail(AUDIT, findings.map(({ message }) => message).join('; '), again)
    return ok(
      AUDIT,
      `it ran, with no finding; from ${allFrom ?? 'the next hour'} on it judges this order too: ${again}`,
    )
  } catch (error) {
    const { message, next } = commandErrorOf(error)
    return fail(AUDIT, message, next)
  }
}
