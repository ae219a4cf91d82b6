// Checks what the service answers to each key: whether it knows the key, admits it from here, and which scopes it has.
// Moves nothing: the requests are in scope-probes.ts.
import type { Clock } from '../../core/clock.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { isSandboxAt } from '../../place/service/sandbox-address.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { remedyFor } from '../../place/service/service-failure.ts'
import { type Check, fail, ok, warn } from './check.ts'
import type { RoleKey } from './key-checks.ts'
import { mayRenameContacts, probeScopes } from './scope-probes.ts'

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
  /** First the checks whether keys are admitted, then the checks of their scopes. */
  readonly checks: readonly Check[]
  /** Keys that the service admitted. */
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
    const { isRefused, check, renaming } = await withConnection({ baseUrl, key, clock }, async (client) => {
      const asked = await askForScopes(role, client, key.prefix)
      const isAsked = !asked.isRefused && !(await isSandbox(baseUrl))
      return { ...asked, renaming: isAsked ? await renamingChecks(key.prefix, client) : [] }
    })
    if (isRefused) refused.set(key.prefix, check)
    else {
      scopes.push(check)
      if (!admitted.some((other) => other.key.prefix === key.prefix)) scopes.push(...renaming)
      admitted.push(roleKey)
    }
  }
  return { checks: [...checksOfAdmission([...refused.values()], admitted.length > 0), ...scopes], admitted }
}

/**
 * The checks of whether keys are admitted, in the order in which a service decides. A check is ok if a key passed it
 * and no key was refused.
 */
function checksOfAdmission(refused: readonly Check[], isOpenToSome: boolean): Check[] {
  return ADMISSION_CHECKS.flatMap((name) => {
    const shut = refused.filter(({ check }) => check === name)
    return shut.length > 0 || !isOpenToSome ? shut : [ok(name, 'no objection')]
  })
}

/** Everybody has the keys of a sandbox, and they have every scope, so a warning about them helps nobody. */
function isSandbox(baseUrl: string): Promise<boolean> {
  return isSandboxAt(baseUrl).catch(() => false)
}

/**
 * Warns of a key that may rename contacts. No function needs that, and the bearer secret is enough to give a payee's
 * reference to another contact. The stage test is checked too, because teams learn there how to make the key for money.
 */
async function renamingChecks(prefix: string, client: Pick<ServiceClient, 'renameContact'>): Promise<Check[]> {
  const name = `contacts:write of ${prefix}`
  const mayRename = await mayRenameContacts(client)
  if (mayRename === false) return [ok(name, 'it may not rename contacts')]
  const next = 'make a key without contacts:write: scopes are fixed when a key is created'
  return mayRename === true
    ? [warn(name, 'anybody with its bearer secret can rename contacts without a signature', next)]
    : [warn(name, 'whether it may rename contacts is not known', next)]
}

/** `isRefused` is true where the key is refused altogether. The check then says why. */
async function askForScopes(
  role: KeyRole,
  client: ServiceClient,
  prefix: string,
): Promise<{ readonly isRefused: boolean; readonly check: Check }> {
  const name = `scopes to ${role}`
  const { held, missing, stopped } = await probeScopes(role, client)
  if (stopped === undefined) return { isRefused: false, check: scopesFound(role, name, held, missing) }
  const { code, message, next } = stopped
  const admission = admissionChecks.get(code)
  return admission === undefined
    ? { isRefused: false, check: fail(name, message, next) }
    : { isRefused: true, check: fail(admission, `${prefix}: ${message}`, next) }
}

function scopesFound(role: KeyRole, name: string, held: readonly string[], missing: readonly string[]): Check {
  if (missing.length > 0)
    return fail(name, `insufficient_scope: lacks ${missing.join(', ')}`, remedyFor('insufficient_scope'))
  const scopes = held.join(', ')
  return ok(name, role === KeyRole.Transfer ? `${scopes}; transfers:write shows in a signed request only` : scopes)
}
