// Finds which of the scopes that its role needs a key has, and whether it may rename contacts. It probes with harmless
// reads, with a quote that cannot exist, and with a contact that does not exist. Moves nothing.
import { KeyRole } from '../../core/contract/service-settings.ts'
import { problemOf } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { remedyAfter } from '../../place/service/service-failure.ts'
import { messageOf } from './address-checks.ts'

/** A request that needs one scope, and nothing else. */
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
  // A floor reads open orders that will still take some of the asset.
  [KeyRole.Transfer]: [accounts, marketData, trading, transfers, contacts],
}

interface ScopeAnswers {
  readonly held: readonly string[]
  readonly missing: readonly string[]
  /** Why the other scopes are not known: the key is refused altogether, or the service does not answer. */
  readonly stopped?: Stopped
}

interface Stopped {
  readonly code: string
  readonly message: string
  readonly next: string
}

export async function probeScopes(role: KeyRole, client: ServiceClient): Promise<ScopeAnswers> {
  const held: string[] = []
  const missing: string[] = []
  for (const { scope, ask } of probesOf[role]) {
    const problem = await problemOfAsking(() => ask(client))
    if (problem === undefined || (scope === quoting.scope && isBusinessRefusal(problem.code))) held.push(scope)
    else if (problem.code === 'insufficient_scope') missing.push(scope)
    else return { held, missing, stopped: problem }
  }
  return { held, missing }
}

const NO_CONTACT = '00000000-0000-4000-8000-000000000000'

/**
 * Whether a key may rename contacts; undefined where the service does not say. It asks to rename a contact that does
 * not exist.
 */
export async function mayRenameContacts(client: Pick<ServiceClient, 'renameContact'>): Promise<boolean | undefined> {
  const problem = await problemOfAsking(() => client.renameContact(NO_CONTACT, { reference: 'sluice-doctor' }))
  if (problem === undefined || isBusinessRefusal(problem.code)) return true
  return problem.code === 'insufficient_scope' ? false : undefined
}

/** Whether the code shows that the service admitted the key, and refused only what the request names. */
function isBusinessRefusal(code: string): boolean {
  return code === 'validation_error' || code === 'unprocessable' || code === 'not_found'
}

async function problemOfAsking(ask: () => Promise<unknown>): Promise<Stopped | undefined> {
  try {
    await ask()
    return undefined
  } catch (error) {
    return { code: problemOf(error)?.code ?? '', message: messageOf(error), next: remedyAfter(error) }
  }
}
