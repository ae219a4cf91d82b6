// Audits a world once nothing moves any more, by the product's own audit, and judges its findings by what moved. It must name
// every movement that no ended intent has made, and no other.
import { FindingType } from '../../../core/contract/reconcile.ts'
import { IntentKind, IntentState } from '../../../core/contract/records.ts'
import { timing as timingSchema } from '../../../core/contract/timing.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { createWatermarks } from '../../../core/journal/watermarks.ts'
import { createUnapprovedFinder } from '../../../core/runs/approval/audited-approval.ts'
import { createPaidTwiceFinder } from '../../../core/runs/plan/payments.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import type { AuditedEntry, AuditedFill, AuditedOrder, AuditedService } from '../../../functions/reconcile/ports.ts'
import { reconcile } from '../../../functions/reconcile/reconcile.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { testSeals } from '../../helpers/test-seals.ts'
import { OWN_ACCOUNT } from '../keys.ts'
import type { Machine } from '../machine.ts'
import type { Stage } from '../stage.ts'
import { ASSET } from '../withdrawal-model.ts'
import { START_MS } from '../world-state.ts'

/** Findings about who made a movement. */
const FAULTS: ReadonlySet<string> = new Set([
  FindingType.UnclaimedMovement,
  FindingType.UnprovenClaim,
  FindingType.PaidTwice,
  FindingType.MissingMovement,
])
const NAMES = { [IntentKind.Convert]: 'order', [IntentKind.Withdraw]: 'withdrawal' } as const
const DAY_MS = 86_400_000
/** Longer than a date and a filter are off, and than anything is too young to be judged. */
const LATER_MS = 6 * DAY_MS

interface Audited {
  readonly stage: Stage
  readonly treasury: Treasury
  readonly isShared: boolean
  readonly ports: RunPorts
  readonly machine: Machine
}

/** Returns what is wrong with the findings. */
export async function judgeByAudit({ stage, treasury, isShared, ports, machine }: Audited): Promise<string[]> {
  const { journal: table, service, witness } = stage
  await machine.sleep(LATER_MS)
  const store = table.reachedFrom(machine)
  const fromMs = START_MS - service.truth.skewMs
  let stamps = 0
  const report = await reconcile(
    { since: new Date(fromMs - LATER_MS).toISOString() },
    {
      ...{ journal: ports.journal, index: ports.index, hasTime: () => true, report: () => undefined, isShared },
      findUnapproved: createUnapprovedFinder(store, { treasury, sinceMs: async () => 0 }, decisionKey),
      findUnheard: async () => undefined,
      findUnheardResumes: async () => [],
      findPaidTwice: createPaidTwiceFinder(ports),
      watermarks: createWatermarks(store, () => `audit-${++stamps}`, testSeals()),
      findVerifiedAt: async () => undefined,
      service: auditReads(ports, stage),
      timing: timingSchema.parse({}),
    },
  )
  const named = new Set(
    report.findings.flatMap((found) => (FAULTS.has(found.finding) ? [`${found.movement} ${found.movementId}`] : [])),
  )
  const ended = [...witness.intents.values()].filter(({ record }) => record.state === IntentState.Done)
  const claimed = new Set(ended.map(({ record }) => `${NAMES[record.kind as IntentKind]} ${record.ref}`))
  const orders = service.orders.movements.map((moved) => ({ ...moved, movement: NAMES.convert }))
  const rows = service.withdrawals.movements.map((moved) => ({ ...moved, movement: NAMES.withdraw }))
  return [...orders, ...rows].flatMap(({ id, atMs, account, movement }) => {
    const name = `${movement} ${id}`
    if (account !== OWN_ACCOUNT || atMs < fromMs) return []
    // Where others write to the account, a movement that no intent claims is theirs.
    if (named.has(name) ? !claimed.has(name) : claimed.has(name) || isShared) return []
    return [`the audit ${named.has(name) ? 'finds fault with' : 'does not name'} ${name}`]
  })
}

function auditReads({ service: client }: RunPorts, { service: { orders, withdrawals } }: Stage): AuditedService {
  const told = orders.list(OWN_ACCOUNT).map(
    (order): AuditedOrder => ({
      ...order,
      createdAt: new Date(orders.movements.find(({ id }) => id === order.id)?.atMs ?? 0).toISOString(),
    }),
  )
  const fillsOf = (orderId: string): AuditedFill[] =>
    orders.fillsOf(orderId, OWN_ACCOUNT).map((fill) => ({ ...fill, orderId }))
  const ledger = () =>
    withdrawals.wholeLedger(OWN_ACCOUNT).map(
      ({ type = null, assetSymbol = null, amount = null, source, createdAt }, at): AuditedEntry => ({
        ...{ id: `entry-${at}`, type, assetSymbol, amount, source, createdAt, orderId: null },
      }),
    )
  return {
    clock: client.clock,
    async *walkOrders() {
      yield* told
    },
    async *walkFills() {
      yield* told.flatMap(({ id }) => fillsOf(id))
    },
    findFills: async (orderId) => fillsOf(orderId),
    findOrder: async (orderId) => told.find(({ id }) => id === orderId),
    async *walkWithdrawals(span, limit) {
      yield* await client.listWithdrawals({ ...span, assetSymbol: ASSET.assetSymbol }, limit)
    },
    async *walkLedger({ sourceId }) {
      yield* ledger().filter(({ source }) => sourceId === undefined || source?.id === sourceId)
    },
    async readLedgerPage(page) {
      const entries = ledger()
      return { entries: page === 1 ? entries : [], totalEntries: entries.length }
    },
    findWithdrawal: client.findWithdrawal,
  }
}
