// Switches of the account and of the whole service, for the control API.
import * as z from 'zod/mini'
import { flag, integer, optional } from '../fields.ts'
import { DEFAULT_LIMITS, WINDOW_SECONDS } from '../rate-limit.ts'
import { readFields } from '../read-fields.ts'
import type { World } from '../world.ts'

const MOST_PER_MINUTE = 1_000_000_000

const accountFields = z.strictObject({ apiAccess: optional(flag), twoFactor: optional(flag) })
const maintenanceFields = z.strictObject({ on: flag })
const perMinute = optional(integer(1, MOST_PER_MINUTE))
const limitFields = z.strictObject({
  perKey: perMinute,
  perAccount: perMinute,
  windowSeconds: optional(integer(1, 3600)),
})

/** Sets whether the account may use the API, and whether it has two-factor authentication. */
export function changeAccount(world: World, body: Record<string, unknown>): unknown {
  const { apiAccess = world.apiAccess, twoFactor = world.twoFactor } = readFields(accountFields, body)
  world.commit({ kind: 'account.set', apiAccess, twoFactor })
  return { apiAccess, twoFactor }
}

export function changeMaintenance(world: World, body: Record<string, unknown>): unknown {
  const { on } = readFields(maintenanceFields, body)
  world.commit({ kind: 'maintenance.set', on })
  return { on }
}

/** Sets the requests that a window allows, per key and for the whole account. */
export function changeLimits(world: World, body: Record<string, unknown>): unknown {
  const given = readFields(limitFields, body)
  const limits = { ...DEFAULT_LIMITS, windowSeconds: WINDOW_SECONDS, ...given }
  world.commit({ kind: 'limits.set', limits })
  return limits
}
