// What the service says to each key: whether it knows it, lets it in from here, and which scopes
// it has. Asks with harmless reads, and with a quote that cannot be given; moves nothing.
import { randomUUID } from 'node:crypto'
import { KeyRole } from '../../functions/contract/treasury.ts'
import type { Clock } from '../../functions/shared/clock.ts'
import { staticKeySource } from '../../functions/shared/keys/key-source.ts'
import { problemOf } from '../../functions/shared/service/problem.ts'
import { createServiceClient, type ServiceClient } from '../../functions/shared/service/service-client.ts'
import { remedyFor } from '../service-failure.ts'
import { messageOf } from './address-checks.ts'
import { type Check, fail, ok } from './check.ts'
import type { RoleKey } from './doctor-keys.ts'

/** One question that needs a scope, and nothing else. */
interface ScopeProbe {
  readonly scope: string
  readonly ask: (client: ServiceClient) => Promise<unknown>
}

const first = { pageLimit: 1 }
const firstOf = (records: AsyncGenerator<unknown>) => records.next().finally(() => records.return(undefined))

/** No asset has both codes alike, so this is refused before anything is priced; a quote moves nothing anyway. */
const impossibleQuote = {
  baseAsset: 'SLUICE-DOCTOR',
  quoteAsset: 'SLUICE-DOCTOR',
  amountAsset: 'SLUICE-DOCTOR',
  side: 'BUY',
  amount: '1',
} as const

const accounts: ScopeProbe = { scope: 'accounts:read', ask: (client) => client.account() }
const marketData: ScopeProbe = { scope: 'market_data:read', ask: (client) => client.markets() }
const trading: ScopeProbe = { scope: 'trading:read', ask: (client) => firstOf(client.walkOrders({}, first)) }
const transfers: ScopeProbe = { scope: 'transfers:read', ask: (client) => firstOf(client.walkWithdrawals({}, first)) }
const contacts: ScopeProbe = { scope: 'contacts:read', ask: (client) => firstOf(client.walkContacts({}, first)) }
const quoting: ScopeProbe = { scope: 'trading:write', ask: (client) => client.createQuote(impossibleQuote) }

const probesOf: Readonly<Record<KeyRole, readonly ScopeProbe[]>> = {
  [KeyRole.Read]: [accounts, marketData, trading, transfers, contacts],
  [KeyRole.Trade]: [marketData, trading, quoting],
  [KeyRole.Transfer]: [accounts, marketData, transfers, contacts],
}

/** Codes that close the door to a key altogether, with the check that they are told under. */
const doors: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'key known'],
  ['key_expired', 'key known'],
  ['key_revoked', 'key known'],
  ['ip_not_allowed', 'IP allow-list'],
  ['api_access_disabled', 'API access'],
])
const DOORS = [...new Set(doors.values())]

/** Checks of all keys, doors first. */
export async function accessChecks(url: string, keys: readonly RoleKey[], clock: Clock): Promise<Check[]> {
  const found: Check[] = []
  const shut = new Set<string>()
  for (const { role, key } of keys) {
    const client = createServiceClient({ baseUrl: url, key: staticKeySource(key), clock, newId: randomUUID })
    try {
      const check = await scopeCheck(role, client, `${key.prefix} (${role})`)
      if (DOORS.includes(check.check)) shut.add(check.check)
      found.push(check)
    } finally {
      client.close()
    }
  }
  // A door is open when some key went through it and none was stopped at it.
  const open = found.some(({ check }) => !DOORS.includes(check))
    ? DOORS.filter((door) => !shut.has(door)).map((door) => ok(door, 'no objection'))
    : []
  return [...open, ...found].toSorted((left, right) => rank(left) - rank(right))
}

function rank({ check }: Check): number {
  const door = DOORS.indexOf(check)
  return door === -1 ? DOORS.length : door
}

async function scopeCheck(role: KeyRole, client: ServiceClient, who: string): Promise<Check> {
  const name = `scopes to ${role}`
  const missing: string[] = []
  for (const { scope, ask } of probesOf[role]) {
    const problem = await problemOfAsking(() => ask(client))
    if (problem === undefined) continue
    const door = doors.get(problem.code)
    if (door !== undefined) return fail(door, `${who}: ${problem.message}`, remedyFor(problem.code))
    if (problem.code === 'insufficient_scope') missing.push(scope)
    else if (scope !== quoting.scope || !isBusinessNo(problem.code))
      return fail(name, problem.message, remedyFor(problem.code))
  }
  const scopes = probesOf[role].map(({ scope }) => scope)
  if (missing.length > 0)
    return fail(name, `insufficient_scope: lacks ${missing.join(', ')}`, remedyFor('insufficient_scope'))
  // Only a withdrawal would show it, and that moves money.
  const unseen = role === KeyRole.Transfer ? '; transfers:write shows in a withdrawal only' : ''
  return ok(name, `${scopes.join(', ')}${unseen}`)
}

/** How a service that lets the key quote says no to a quote that cannot be. */
function isBusinessNo(code: string): boolean {
  return code === 'validation_error' || code === 'unprocessable' || code === 'not_found'
}

async function problemOfAsking(
  ask: () => Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string } | undefined> {
  try {
    await ask()
    return undefined
  } catch (error) {
    return { code: problemOf(error)?.code ?? '', message: messageOf(error) }
  }
}
