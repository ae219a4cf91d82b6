// Reads the flag --profile of every campaign with a sandbox: how untidy the service is.
import { PROFILES, type ProfileName } from '@sluice/service-sandbox'
import type { Flags } from './program.ts'

/**
 * Undefined for the plainest service.
 * @throws UsageError for a profile unknown to the sandbox
 */
export function profileOf(flags: Flags): ProfileName | undefined {
  return flags.oneOf('profile', Object.keys(PROFILES) as ProfileName[])
}
