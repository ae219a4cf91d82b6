// Checks what the service says to each key: whether it knows the key, lets it in from here, and which scopes it has. It
// asks with harmless reads, and with a quote that cannot exist. Moves nothing.
import type { Clock } from '../../core/clock.ts'
import { KeyRole } from '../../core/contract/treasury.ts'
import { problemOf } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { withConnection } from '../target/service/service-connection.ts'
import { remedyFor } from '../target/service/service-failure.ts'
import { messageOf } from './address-checks.ts'
import { type Check, fail, ok } from './check.ts'
import type { RoleKey } from './key-checks.ts'

/** One question that needs a scope, and nothing else. */
interface ScopeProbe {
  readonly scope: string
  readonly ask: (client: ServiceClient) => Promise<unknown>
}

const first = { pageLimit: 1 }
const firstOf = (records: AsyncGenerator<unknown>) => records.next().finally(() => records.return(undefined))

/**
 * The service refuses this before it prices anything, because a market needs two assets. A quote moves nothing in any
 * case.
 */
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

/** Codes that refuse a key altogether, each with the name of the check that reports it. */
const admissionChecks: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'key known'],
  ['key_expired', 'key known'],
  ['key_revoked', 'key known'],
  ['ip_not_allowed', 'IP allow-list'],
  ['api_access_disabled', 'API access'],
])
const ADMISSION_CHECKS = [...new Set(admissionChecks.values())]

interface Access {
  /** First the checks of whether a key is let in, then those of its scopes. */
  readonly checks: readonly Check[]
  /** Keys that the service let in. */
  readonly admitted: readonly RoleKey[]
}

/** Asks for each role with its key. A key that is refused altogether is reported once, whatever its roles. */
export async function accessChecks(baseUrl: string, keys: readonly RoleKey[], clock: Clock): Promise<Access> {
  const refused = new Map<string, Check>()
  const scopes: Check[] = []
  const admitted: RoleKey[] = []
  for (const roleKey of keys) {
    const { role, key } = roleKey
    if (refused.has(key.prefix)) continue
    const { isRefused, check } = await withConnection({ baseUrl, key, clock }, (client) =>
      askForScopes(role, client, key.prefix),
    )
    if (isRefused) refused.set(key.prefix, check)
    else {
      scopes.push(check)
      admitted.push(roleKey)
    }
  }
  return { checks: [...checksOfAdmission([...refused.values()], admitted.length > 0), ...scopes], admitted }
}

/**
 * The checks of whether keys are let in, in the order in which a service decides. One is ok if a key passed it and none
 * was refused.
 */
function checksOfAdmission(refused: readonly Check[], isOpenToSome: boolean): Check[] {
  return ADMISSION_CHECKS.flatMap((name) => {
    const shut = refused.filter(({ check }) => check === name)
    return shut.length > 0 || !isOpenToSome ? shut : [ok(name, 'no objection')]
  })
}

/** `isRefused` is true where the key is refused altogether. The check then says why. */
async function askForScopes(
  role: KeyRole,
  client: ServiceClient,
  prefix: string,
): Promise<{ readonly isRefused: boolean; readonly check: Check }> {
  const name = `scopes to ${role}`
  const missing: string[] = []
  for (const { scope, ask } of probesOf[role]) {
    const problem = await problemOfAsking(() => ask(client))
    if (problem === undefined) continue
    const { code, message } = problem
    const admission = admissionChecks.get(code)
    if (admission !== undefined)
      return { isRefused: true, check: fail(admission, `${prefix}: ${message}`, remedyFor(code)) }
    if (code === 'insufficient_scope') missing.push(scope)
    else if (scope !== quoting.scope || !isBusinessNo(code))
      return { isRefused: false, check: fail(name, message, remedyFor(code)) }
  }
  return { isRefused: false, check: scopesFound(role, name, missing) }
}

function scopesFound(role: KeyRole, name: string, missing: readonly string[]): Check {
  if (missing.length > 0)
    return fail(name, `insufficient_scope: lacks ${missing.join(', ')}`, remedyFor('insufficient_scope'))
  const scopes = probesOf[role].map(({ scope }) => scope).join(', ')
  return ok(name, role === KeyRole.Transfer ? `${scopes}; transfers:write shows in a signed request only` : scopes)
}

/** Whether a code is that of a service which lets the key quote and refuses the impossible quote. */
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
