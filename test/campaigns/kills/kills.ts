// Defines the common parts of both ways to kill: the limits, the shortest waits of the protocol, and the slowness of
// the service.
import { type Manners, PROFILES, type Profile, type ProfileName } from '@sluice/service-sandbox'

/**
 * The leeway exceeds the sandbox's own of 5 s. All other times are the shortest allowed, because fences take real time.
 */
export const TIMING = { tokenLifeSeconds: 5, leewaySeconds: 6, visibilitySeconds: 15, orderVisibilitySeconds: 15 }
/** Work times of a slow service: shorter than in other tests, and long enough for kills during the work. */
const SLOW_WORK = { leastMs: 1_000, mostMs: 3_000 }

export function mannersOf(profile: ProfileName | undefined): Partial<Manners> {
  const { manners = {} }: Profile = PROFILES[profile ?? 'prompt']
  return manners.slow ? { slow: { ...manners.slow, ...SLOW_WORK } } : {}
}
