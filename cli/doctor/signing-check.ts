// Whether the service takes the signature of each key that moves money, and whether two-factor
// authentication stands in its way. Asks only where that was wanted: by the harmless signed request
// of `sluice keys verify`, which says why it can move nothing.

import type { Clock } from '../../core/clock.ts'
import { KeyRole } from '../../core/contract/treasury.ts'
import { probeSigning, type SigningProbe } from '../keys/probe-signing.ts'
import { withConnection } from '../target/service/service-connection.ts'
import { remedyFor } from '../target/service/service-failure.ts'
import { messageOf } from './address-checks.ts'
import { type Check, fail, ok, warn } from './check.ts'
import type { RoleKey } from './key-checks.ts'

const TWO_FACTOR = 'two-factor'
const NOT_PROBED = 'add --probe-signing: it signs requests that name nothing that exists, and so move nothing'

type SigningRole = typeof KeyRole.Trade | typeof KeyRole.Transfer

/** Without a probe. */
export function signingUnknown(keys: readonly RoleKey[]): Check[] {
  if (!keys.some(({ role }) => isSigning(role))) return []
  return ['signing', TWO_FACTOR].map((name) => warn(name, 'not looked at: only a signed request shows it', NOT_PROBED))
}

/** One check for each role that signs. */
export async function signingChecks(baseUrl: string, keys: readonly RoleKey[], clock: Clock): Promise<Check[]> {
  const checks: Check[] = []
  for (const { role, key } of keys) {
    if (!isSigning(role)) continue
    const name = `signing to ${role}`
    try {
      checks.push(
        ...judged(name, await withConnection({ baseUrl, key, clock }, (client) => probeSigning(client, role))),
      )
    } catch (error) {
      checks.push(fail(name, messageOf(error), 'without a signature no money can be moved'))
    }
  }
  // It is the account's, so it stands in the way of every signed request or of none.
  const others = checks.filter(({ check }) => check !== TWO_FACTOR)
  const objection = checks.find(({ check }) => check === TWO_FACTOR)
  const wasTaken = others.some(({ status }) => status === 'ok')
  return [...others, ...((objection ?? wasTaken) ? [objection ?? ok(TWO_FACTOR, 'no objection')] : [])]
}

function isSigning(role: KeyRole): role is SigningRole {
  return role !== KeyRole.Read
}

export function judged(name: string, { verdict, code = '', text }: SigningProbe): Check[] {
  if (verdict === 'registered') return [ok(name, `the signature is taken; refused as it must be: ${text}`)]
  if (code === 'two_factor_required') return [fail(TWO_FACTOR, text, remedyFor(code))]
  if (verdict !== 'accepted') return [fail(name, text, remedyFor(code))]
  return [fail(name, text, 'do not use this address, and look at the latest movements: it breaks its description')]
}
