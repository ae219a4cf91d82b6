// The flag --profile of every campaign that has a sandbox: how untidy the service is.
import { PROFILES, type ProfileName } from '@sluice/service-sandbox'
import type { Flags } from './program.ts'

/** Absent: as plain as can be. @throws UsageError for a profile that the sandbox does not have */
export function profileOf(flags: Flags): ProfileName | undefined {
  return flags.oneOf('profile', Object.keys(PROFILES) as ProfileName[])
}
