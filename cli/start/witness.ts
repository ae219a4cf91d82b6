// Uses the sandbox as the witness of the tour. Through its control address this module makes the sandbox misbehave, one
// request at a time, and books deposits. Afterwards it reads the movements from the sandbox's books, and reports which
// request met which fault.

import * as z from 'zod/mini'
import type { Movement } from '../../core/audit/tie-out.ts'
import type { Progress } from '../../place/context.ts'

const TIMEOUT_MS = 5_000

const asked = { id: z.string(), nonce: z.string() }
const order = z.object({
  ...{ ...asked, kind: z.literal('order'), market: z.string(), side: z.string() },
  ...{ filledBaseAmount: z.string(), filledQuoteAmount: z.string() },
})
const withdrawal = z.object({
  ...{ ...asked, kind: z.literal('withdrawal'), assetSymbol: z.string() },
  ...{ amount: z.string(), fee: z.string(), total: z.string() },
})

/** The part of the oracle about movements, and its own check of its ledger. */
const books = z.object({
  movements: z.array(z.discriminatedUnion('kind', [order, withdrawal])),
  invariants: z.object({ ok: z.boolean(), violations: z.array(z.unknown()) }),
})

/** The part of the oracle about requests, and the movements that they caused. */
const seen = z.object({
  movements: z.array(z.object({ id: z.string(), nonce: z.string() })),
  requests: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      status: z.number(),
      nonce: z.optional(z.string()),
      faults: z.optional(z.array(z.string())),
    }),
  ),
})

export interface Witness {
  readonly movements: readonly Movement[]
  /** Findings of the sandbox's own checks of its ledger. Empty when it balances. */
  readonly violations: readonly string[]
}

/** @throws Error when the sandbox does not answer as documented. */
export async function readWitness(controlUrl: string): Promise<Witness> {
  const { movements, invariants } = books.parse(await control(controlUrl, 'GET', '/oracle'))
  const { ok, violations } = invariants
  const lines = violations.map((violation) => (typeof violation === 'string' ? violation : JSON.stringify(violation)))
  return {
    movements: movements.map((each) =>
      each.kind === 'withdrawal'
        ? each
        : { ...each, baseAmount: each.filledBaseAmount, quoteAmount: each.filledQuoteAmount },
    ),
    violations: ok || lines.length > 0 ? lines : ['its invariants do not hold'],
  }
}

/** A fault that the service makes with one request to a path. */
export interface Mishap {
  readonly path: string
  /** 1 is the first request to the path. */
  readonly nth: number
  readonly fault: Readonly<Record<string, unknown>> & { readonly kind: string }
  /** In a few words. */
  readonly text: string
}

/** A request that met a fault, as the sandbox logged it. */
export interface MetFault {
  readonly kind: string
  readonly method: string
  readonly path: string
  /** 0 where the connection was dropped without an answer. */
  readonly status: number
  /** The movement that was accepted despite the fault. */
  readonly movementId?: string
}

/** The faults in the order of the requests. @throws Error when the sandbox does not answer as documented. */
export async function readMetFaults(controlUrl: string): Promise<MetFault[]> {
  const { movements, requests } = seen.parse(await control(controlUrl, 'GET', '/oracle'))
  return requests.flatMap(({ method, path, status, nonce, faults = [] }) => {
    const moved = nonce === undefined ? undefined : movements.find((movement) => movement.nonce === nonce)
    return faults.map((kind) => ({ kind, method, path, status, ...(moved && { movementId: moved.id }) }))
  })
}

export async function arrange(controlUrl: string, { path, nth, fault }: Mishap): Promise<void> {
  await control(controlUrl, 'POST', '/rules', { match: { method: 'POST', path, nth, times: 1 }, fault })
}

/** Books a deposit in the sandbox. */
export async function payIn(controlUrl: string, deposit: Readonly<Record<string, string>>): Promise<void> {
  await control(controlUrl, 'POST', '/balance', deposit)
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

/** The time that the order with status 202 stays unsettled: long enough to see it being polled. */
const SETTLES_AFTER_MS = 1_500

export const mishaps: readonly Mishap[] = [
  { path: '/v2/quotes', nth: 1, fault: { kind: 'expireQuote' }, text: 'one quote comes expired' },
  {
    path: '/v2/orders',
    nth: 1,
    fault: { kind: 'settleLater', afterMs: SETTLES_AFTER_MS, outcome: 'fill' },
    text: 'one order is answered 202',
  },
  { path: '/v2/orders', nth: 2, fault: { kind: 'dropAfterCommit' }, text: 'one answer is lost on its way' },
]

export const MISHAPS_TEXT = `to come: ${mishaps.map(({ text }) => text).join(', ')}`

/** The returned function receives all faults that were met so far, and reports each of them once. */
export function createMishapReporter(progress: Progress): (met: readonly MetFault[]) => void {
  let reported = 0
  return (met) => {
    for (const fault of met.slice(reported)) progress.line({ label: 'sandbox', text: metText(fault), tone: 'wait' })
    reported = met.length
  }
}

function metText({ kind, method, path, status, movementId }: MetFault): string {
  const fault = mishaps.find((mishap) => mishap.fault.kind === kind)?.text ?? kind
  const answer = status === 0 ? 'not answered' : `answered ${status}`
  const order = movementId === undefined ? '' : `, order ${movementId} is accepted`
  return `met: ${fault} (${method} ${path} ${answer}${order})`
}

/** A sentence for each arranged mishap that was not met. The tour has then not shown what it promised. */
export function unmetMishaps(met: readonly MetFault[]): string[] {
  const unmet = mishaps.filter(({ fault }) => !met.some(({ kind }) => kind === fault.kind))
  return unmet.map(({ text }) => `no request met the arranged fault: ${text}`)
}
