// Replaces node:fs/promises, with which the SDK reads profiles. A function has no profiles, and the module would load
// readline and watchers. The SDK continues without a profile that it cannot read.

/** Has the name that the SDK imports. */
export async function readFile(): Promise<never> {
  throw new Error('a function has no profiles: see infra/bundle/sdk-parts/profiles.ts')
}
