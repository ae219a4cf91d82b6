// What the sandbox itself says happened, through its control address: the witness of the tour.
// Asks it also to misbehave, one request at a time.
import * as z from 'zod/mini'
import type { BookedMovement } from '../tie-out.ts'

const TIMEOUT_MS = 5_000

const oracle = z.object({
  movements: z.array(
    z.object({
      kind: z.string(),
      orderId: z.optional(z.string()),
      nonce: z.string(),
      market: z.optional(z.string()),
      side: z.optional(z.string()),
      baseAmount: z.optional(z.string()),
      quoteAmount: z.optional(z.string()),
    }),
  ),
  invariants: z.object({ ok: z.boolean(), violations: z.array(z.unknown()) }),
})

export interface Witness {
  readonly movements: readonly BookedMovement[]
  /** What the sandbox's own checks of its ledger found; empty when it balances. */
  readonly violations: readonly string[]
}

/** @throws Error when the sandbox does not answer as documented. */
export async function readWitness(controlUrl: string): Promise<Witness> {
  const { movements, invariants } = oracle.parse(await control(controlUrl, 'GET', '/oracle'))
  const violations = invariants.violations.map((violation) => JSON.stringify(violation))
  return {
    movements: movements.map(
      ({ orderId = '?', market = '?', side = '?', baseAmount = '?', quoteAmount = '?', nonce }) => ({
        orderId,
        market,
        side,
        baseAmount,
        quoteAmount,
        nonce,
      }),
    ),
    violations: invariants.ok || violations.length > 0 ? violations : ['its invariants do not hold'],
  }
}

/** What the service does to the next request of its kind. */
export type Mishap = { readonly path: string; readonly fault: Readonly<Record<string, unknown>> }

export async function arrange(controlUrl: string, { path, fault }: Mishap): Promise<void> {
  await control(controlUrl, 'POST', '/rules', { match: { method: 'POST', path, times: 1 }, fault })
}

async function control(controlUrl: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${controlUrl}${path}`, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw new Error(`the sandbox answered ${method} ${path} with status ${response.status}`)
  return response.json()
}
