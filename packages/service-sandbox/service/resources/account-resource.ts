// AccountResource (description, "Resources and their fields"): the sandbox's only account.
import type { World } from '../world.ts'

/** The unit of every balancePrefCurrency. */
export const PREFERRED_CURRENCY = 'EUR'

export function showAccount(world: World): Record<string, unknown> {
  return {
    id: world.accountId,
    username: 'sandbox-treasury',
    email: 'treasury@sandbox.example',
    fullName: 'Sandbox Treasury Ltd',
    nationalId: null,
    verificationStatus: 'VERIFIED',
    preferredCurrency: PREFERRED_CURRENCY,
  }
}
