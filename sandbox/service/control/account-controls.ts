// Switches of the account and of the whole service.
import { type Field, integer, optional } from '../fields.ts'
import { readFields } from '../json-body.ts'
import { DEFAULT_LIMITS } from '../rate-limit.ts'
import type { World } from '../world.ts'

const MOST_PER_MINUTE = 1_000_000_000

const flag: Field<boolean> = {
  read: (raw) => (typeof raw === 'boolean' ? raw : undefined),
  expectation: 'true or false',
  schema: { type: 'boolean' },
  whenAbsent: undefined,
}

/** Whether the account may use the API at all, and whether it has two-factor authentication. */
export function changeAccount(world: World, body: Record<string, unknown>): unknown {
  const fields = { apiAccess: optional(flag), twoFactor: optional(flag) }
  const { apiAccess = world.apiAccess, twoFactor = world.twoFactor } = readFields(fields, body)
  world.commit({ kind: 'account.set', apiAccess, twoFactor })
  return { apiAccess, twoFactor }
}

export function changeMaintenance(world: World, body: Record<string, unknown>): unknown {
  const { on } = readFields({ on: flag }, body)
  world.commit({ kind: 'maintenance.set', on })
  return { on }
}

/** Requests that a minute allows, per key and for the whole account. */
export function changeLimits(world: World, body: Record<string, unknown>): unknown {
  const perMinute = optional(integer(1, MOST_PER_MINUTE))
  const { perKey = DEFAULT_LIMITS.perKey, perAccount = DEFAULT_LIMITS.perAccount } = readFields(
    { perKey: perMinute, perAccount: perMinute },
    body,
  )
  world.commit({ kind: 'limits.set', limits: { perKey, perAccount } })
  return { perKey, perAccount }
}
