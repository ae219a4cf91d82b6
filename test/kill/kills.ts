// What both ways to kill have in common: what is asked for, the least waits of the protocol, and how slow the service is.
import { type Manners, PROFILES, type Profile, type ProfileName } from '@sluice/service-sandbox'

export interface Kills {
  readonly mostKills: number
  readonly seed: number
  /** How the sandbox behaves; absent: prompt. */
  readonly profile: ProfileName | undefined
}

/** What came of a campaign. */
export interface Killed {
  readonly violations: readonly string[]
  /** What was killed and what moved, in one line. */
  readonly summary: string
}

/** The leeway is longer than the sandbox's own of 5 s; each other is the least that there may be, as fences take real time. */
export const TIMING = { tokenLifeSeconds: 5, leewaySeconds: 6, visibilitySeconds: 15, orderVisibilitySeconds: 15 }
/** Where the service is slow: less than elsewhere, and enough for kills while it works. */
const SLOW_WORK = { leastMs: 1_000, mostMs: 3_000 }

export function mannersOf(profile: ProfileName | undefined): Partial<Manners> {
  const { manners = {} }: Profile = PROFILES[profile ?? 'prompt']
  return manners.slow ? { slow: { ...manners.slow, ...SLOW_WORK } } : {}
}
