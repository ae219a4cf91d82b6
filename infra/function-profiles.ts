// In the place of node:fs/promises, with which the SDK reads profiles: a function has none, and the module brings
// readline and watchers. The SDK goes on without a profile that cannot be read.

/** The name that the SDK imports. */
export async function readFile(): Promise<never> {
  throw new Error('a function has no profiles: see infra/function-profiles.ts')
}
