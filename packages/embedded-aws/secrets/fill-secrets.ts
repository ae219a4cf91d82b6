// Sets the values of secrets at boot: those given as an option, or those of the template.
import { randomBytes } from 'node:crypto'
import type { SecretDefinition } from '../assembly/deployment.ts'
import { ensureGiven, type SecretsOptions } from './secrets-endpoint.ts'

/**
 * Given values have priority over the template's. A stored value stays. An account may have secrets that no template
 * declares. `isKept`: whether given values may stay on disk.
 */
export function fillSecrets(
  options: SecretsOptions,
  declared: readonly SecretDefinition[],
  given: Readonly<Record<string, string>>,
  isKept: boolean,
): void {
  for (const { initial, name } of declared) {
    if (Object.hasOwn(given, name) || initial === undefined || options.store.versions(name).length > 0) continue
    ensureGiven(options, name, initialValue(initial), true)
  }
  for (const [name, value] of Object.entries(given)) ensureGiven(options, name, value, isKept)
}

function initialValue(initial: NonNullable<SecretDefinition['initial']>): string {
  if ('text' in initial) return initial.text
  const { length, into } = initial.generate
  const generated = randomBytes(length).toString('hex').slice(0, length)
  return into === undefined ? generated : JSON.stringify({ ...into.template, [into.key]: generated })
}
