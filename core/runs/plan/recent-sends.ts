// Reads the withdrawals of the last days of the assets that a run pays. Says how many more of each asset may be sent,
// because an attempt records only so many others. Reads only.
import type { Policy } from '../../contract/policies.ts'
import { DATING_SLACK_MS, MOST_KNOWN_ROWS } from '../../movements/withdrawal/known-rows.ts'
import { paymentsOf } from '../../policies/kinds.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import type { RunPorts } from '../ports.ts'

/** Far more rows than an asset may have in the days that are read. */
const MOST_ROWS = 10_000

/** By settled code, for the assets of the policy's payments. */
interface RecentSends {
  readonly sent: ReadonlyMap<string, readonly WithdrawalState[]>
  readonly left: ReadonlyMap<string, number>
}

/** Needs a measured clock. @throws Transient, Defect */
export async function readRecentSends(
  policy: Policy,
  settled: (code: string) => string,
  { service }: Pick<RunPorts, 'service'>,
): Promise<RecentSends> {
  const sinceMs = service.clock.nowMs() - DATING_SLACK_MS
  // The service filters by coarse dates.
  const startDate = new Date(sinceMs - DATING_SLACK_MS).toISOString()
  const assets = [...new Set(paymentsOf(policy).map(({ asset }) => settled(asset)))]
  const entries = await Promise.all(
    assets.map(async (assetSymbol) => {
      const rows = await service.listWithdrawals({ assetSymbol, startDate }, MOST_ROWS)
      return [assetSymbol, rows] as const
    }),
  )
  // The test is negated, so that a row whose time cannot be read counts.
  const isRecent = ({ createdAt }: WithdrawalState) => !(Date.parse(createdAt) < sinceMs)
  const leftOf = (rows: readonly WithdrawalState[]) => Math.max(MOST_KNOWN_ROWS - rows.filter(isRecent).length, 0)
  return { sent: new Map(entries), left: new Map(entries.map(([asset, rows]) => [asset, leftOf(rows)])) }
}
