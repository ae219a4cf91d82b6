// Finds the service whose records a command did not read, because it was about the built-in sandbox in the same
// directory. A person who names no service may mean that one. Reads only.
import { existsSync } from 'node:fs'
import { findAccountPin } from './account-pin.ts'
import { serviceFolder } from './state-layout.ts'

/** Stands for an unknown address. */
const SOME = 'URL'

/** The address of the service, where the built-in sandbox was meant (`serviceUrl` absent) and both have records. */
export function findOtherService(stateDir: string, serviceUrl: string | undefined): string | undefined {
  if (serviceUrl !== undefined || !existsSync(serviceFolder(stateDir).awsDir)) return undefined
  try {
    return findAccountPin(stateDir)?.addresses.at(-1) ?? SOME
  } catch {
    // A pin that cannot be read belongs to a service.
    return SOME
  }
}
