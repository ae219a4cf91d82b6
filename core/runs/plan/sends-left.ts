// Reads how many more withdrawals of an asset may be sent: each attempt records the other withdrawals of two days, and has room
// for so many. Rows that are too many for that are found here, before anything of a file moves. Reads only.
import type { Policy } from '../../contract/policies.ts'
import { DATING_SLACK_MS, MOST_KNOWN_ROWS } from '../../movements/withdrawal/known-rows.ts'
import { paymentsOf } from '../../policies/kinds.ts'
import type { RunPorts } from '../ports.ts'

/** Far more rows than an asset may have in the days that are read. */
const MOST_ROWS = 10_000

/** By settled code, for the assets of the policy's payments. Needs a measured clock. @throws Transient, Defect */
export async function readSendsLeft(
  policy: Policy,
  settled: (code: string) => string,
  { service }: Pick<RunPorts, 'service'>,
): Promise<ReadonlyMap<string, number>> {
  const sinceMs = service.clock.nowMs() - DATING_SLACK_MS
  // The service filters by coarse dates.
  const startDate = new Date(sinceMs - DATING_SLACK_MS).toISOString()
  const assets = [...new Set(paymentsOf(policy).map(({ asset }) => settled(asset)))]
  const entries = await Promise.all(
    assets.map(async (assetSymbol) => {
      const rows = await service.listWithdrawals({ assetSymbol, startDate }, MOST_ROWS)
      // The test is negated, so that a row whose time cannot be read counts.
      const recent = rows.filter(({ createdAt }) => !(Date.parse(createdAt) < sinceMs))
      return [assetSymbol, Math.max(MOST_KNOWN_ROWS - recent.length, 0)] as const
    }),
  )
  return new Map(entries)
}
