// Starts a sandbox with given manners. Its clock stands still unless it is moved.
import { onTestFinished } from 'vitest'
import type { Manners } from '../../../service/manners/manners.ts'
import type { SandboxOptions } from '../../../service/sandbox.ts'
import { type Answered, Caller } from '../caller.ts'

/** A time in the middle of a minute and of a second. */
export const NOW_MS = Date.UTC(2027, 0, 15, 8, 0, 30, 500)

export async function startWith(manners: Partial<Manners>, options: SandboxOptions = {}): Promise<Caller> {
  const caller = await Caller.start({ clock: { nowMs: () => NOW_MS }, manners, ...options })
  onTestFinished(() => caller.sandbox.stop())
  return caller
}

export function withdraw(caller: Caller, amount = '50', contactReference = 'cold-usdc-polygon'): Promise<Answered> {
  return caller.signed('/v2/withdrawals', { assetSymbol: 'USDC', amount, contactReference })
}

/** Returns the ids of the withdrawals, page by page. */
export async function walkWithdrawals(caller: Caller, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await caller.get(`/v2/withdrawals?limit=${limit}&page=${page}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (page >= body.pagination.totalPages) return ids
  }
}
