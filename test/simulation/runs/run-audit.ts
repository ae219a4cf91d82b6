// Audits a world once nothing moves any more, by the product's own audit, and judges its findings by what moved. It must name
// every movement that no ended intent has made, and no other.
import { FindingType } from '../../../core/contract/reconcile.ts'
import { IntentState } from '../../../core/contract/records.ts'
import { timing as timingSchema } from '../../../core/contract/timing.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { createWatermarks } from '../../../core/journal/watermarks.ts'
import { createUnapprovedFinder } from '../../../core/runs/approval/audited-approval.ts'
import { createPaidTwiceFinder } from '../../../core/runs/plan/payments.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import type { AuditedEntry, AuditedService } from '../../../functions/reconcile/ports.ts'
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
  const named = new Set(report.findings.flatMap((found) => (FAULTS.has(found.finding) ? [found.movementId] : [])))
  const ended = [...witness.intents.values()].filter(({ record }) => record.state === IntentState.Done)
  const claimed = new Set(ended.map(({ record }) => record.ref))
  return service.withdrawals.movements.flatMap(({ id, atMs, account }) => {
    if (account !== OWN_ACCOUNT || atMs < fromMs) return []
    // Where others write to the account, a movement that no intent claims is theirs.
    if (named.has(id) ? !claimed.has(id) : claimed.has(id) || isShared) return []
    return [`the audit ${named.has(id) ? 'finds fault with' : 'does not name'} ${id}`]
  })
}

function auditReads({ service: client }: RunPorts, { service: { withdrawals } }: Stage): AuditedService {
  const ledger = () =>
    withdrawals.wholeLedger(OWN_ACCOUNT).map(
      ({ type = null, assetSymbol = null, amount = null, source, createdAt }, at): AuditedEntry => ({
        ...{ id: `entry-${at}`, type, assetSymbol, amount, source, createdAt, orderId: null },
      }),
    )
  return {
    clock: client.clock,
    async *walkOrders() {},
    async *walkFills() {},
    findFills: async () => [],
    findOrder: async () => undefined,
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
