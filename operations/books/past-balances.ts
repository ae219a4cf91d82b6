// Reads from the service's balance history what an asset's balance was at the midnights around a period. Reads only.
import { type Decimal, parseSignedDecimal, ZERO } from '../../core/money/decimal.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { Period } from './period.ts'

const DAY_MS = 86_400_000
/** Maximum days of a history: more than a hundred years. */
const MOST_DAYS = 40_000

interface PastBalance {
  /** The day at whose end the balance was this, in UTC. Absent before the first movement. */
  readonly day: string | undefined
  readonly balance: Decimal
}

export interface PastBalances {
  readonly opening: PastBalance
  readonly closing: PastBalance
}

const NOTHING: PastBalance = { day: undefined, balance: ZERO }

/** @throws Transient, Refused, Defect */
export async function readPastBalances(
  asset: string,
  { openMs, closeMs }: Pick<Period, 'openMs' | 'closeMs'>,
  service: Pick<ServiceClient, 'walkBalanceHistory'>,
): Promise<PastBalances> {
  const [before, last] = [dayOf(openMs - 1), dayOf(closeMs - 1)]
  const span = { startDate: iso(openMs - DAY_MS), endDate: iso(closeMs) }
  const read = await lastOf(asset, span, [before, last], service)
  const [opening, closing] = read
  if (opening !== undefined) return { opening, closing: closing ?? opening }
  // The history begins at the first movement, or leaves out days without a movement.
  const [older] = await lastOf(asset, { endDate: iso(openMs) }, [before], service)
  return { opening: older ?? NOTHING, closing: closing ?? older ?? NOTHING }
}

/** For each of the days, the balance at its end, or else that of the latest day before it. */
async function lastOf(
  asset: string,
  span: { readonly startDate?: string; readonly endDate: string },
  days: readonly string[],
  service: Pick<ServiceClient, 'walkBalanceHistory'>,
): Promise<readonly (PastBalance | undefined)[]> {
  const found = new Map<string, PastBalance & { readonly day: string }>()
  for await (const { date, balance } of service.walkBalanceHistory(asset, span, { maxItems: MOST_DAYS })) {
    const day = date.slice(0, 'YYYY-MM-DD'.length)
    for (const wanted of days) {
      if (day > wanted || day < (found.get(wanted)?.day ?? '')) continue
      found.set(wanted, { day, balance: parseSignedDecimal(balance, 'balance') })
    }
  }
  return days.map((day) => found.get(day))
}

function dayOf(ms: number): string {
  return iso(ms).slice(0, 'YYYY-MM-DD'.length)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
