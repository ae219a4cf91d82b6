// Asks the sandbox, through its control address, what happened there: the witness of the tour.
// Asks it also to misbehave, one request at a time.
import type { BookedMovement } from '../tie-out.ts'
import { bookedMovements, oracle } from './booked-movements.ts'

const TIMEOUT_MS = 5_000

export interface Witness {
  readonly movements: readonly BookedMovement[]
  /** What the sandbox's own checks of its ledger found; empty when it balances. */
  readonly violations: readonly string[]
}

/** @throws Error when the sandbox does not answer as documented. */
export async function readWitness(controlUrl: string): Promise<Witness> {
  const consulted = oracle.parse(await control(controlUrl, 'GET', '/oracle'))
  const { ok, violations } = consulted.invariants
  const told = violations.map((violation) => (typeof violation === 'string' ? violation : JSON.stringify(violation)))
  return {
    movements: bookedMovements(consulted),
    violations: ok || told.length > 0 ? told : ['its invariants do not hold'],
  }
}

/** What the service does to one request to a path. */
export interface Mishap {
  readonly path: string
  /** The first request to it, the second, and so on. */
  readonly nth: number
  readonly fault: Readonly<Record<string, unknown>>
}

export async function arrange(controlUrl: string, { path, nth, fault }: Mishap): Promise<void> {
  await control(controlUrl, 'POST', '/rules', { match: { method: 'POST', path, nth, times: 1 }, fault })
}

/** Somebody pays in: the sandbox books a deposit. */
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
