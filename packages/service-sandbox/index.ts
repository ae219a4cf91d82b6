// The public entry of the sandbox: an independent implementation of the service API v2 on this machine. Other code
// imports this file only.
export type { Amount } from './service/amount.ts'
export type { Side } from './service/fields.ts'
export type { Manners } from './service/manners/manners.ts'
export type { Market } from './service/markets.ts'
export { isProfile, PROFILES, type Profile, type ProfileName } from './service/profiles.ts'
export type { Sandbox, SandboxContact, SandboxKey, SandboxOptions } from './service/sandbox.ts'
export { startSandbox } from './service/sandbox.ts'
export type { Service } from './service/service.ts'
export type { World } from './service/world.ts'

/** Loads the sandbox's parts, for benchmarks and for judges of what it did. The parts may change with any release. */
export function loadParts(): Promise<typeof import('./parts.ts')> {
  return import('./parts.ts')
}
