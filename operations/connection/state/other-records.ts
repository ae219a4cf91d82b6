// Finds the records that a command did not look at: a directory that keeps those of the built-in sandbox may keep those
// of a service, too, and a person who names no service may mean that one. Reads only.
import { existsSync } from 'node:fs'
import { findAccountPin } from './account-pin.ts'
import { serviceFolder } from './state-layout.ts'

/** Stands for an address that is not known. */
const SOME = 'URL'

/** The address of the service, where the built-in sandbox was meant (`serviceUrl` absent) and there are records of both. */
export function findOtherService(stateDir: string, serviceUrl: string | undefined): string | undefined {
  if (serviceUrl !== undefined || !existsSync(serviceFolder(stateDir).awsDir)) return undefined
  try {
    return findAccountPin(stateDir)?.addresses.at(-1) ?? SOME
  } catch {
    // A pin that cannot be read is one of a service.
    return SOME
  }
}
