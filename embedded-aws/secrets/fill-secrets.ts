// The values that secrets have before anybody puts one: what was given at boot, or what the template says.
import { randomBytes } from 'node:crypto'
import type { SecretDefinition } from '../assembly/read-resource.ts'
import { Refusal } from '../refusal.ts'
import { ensureGiven, type SecretsOptions } from './secrets-endpoint.ts'

/** Values given at boot come before what the template says; what is stored already stays. */
export function fillSecrets(
  options: SecretsOptions,
  declared: readonly SecretDefinition[],
  given: Readonly<Record<string, string>>,
): void {
  const stray = Object.keys(given).find((name) => !declared.some((secret) => secret.name === name))
  if (stray !== undefined) throw new Refusal(`secret ${stray}`, 'the assembly declares no secret of this name')
  for (const secret of declared) {
    const value = given[secret.name]
    if (value !== undefined) ensureGiven(options, secret, value)
    else if (secret.initial !== undefined && options.store.versions(secret.name).length === 0) {
      ensureGiven(options, secret, initialValue(secret.initial))
    }
  }
}

function initialValue(initial: NonNullable<SecretDefinition['initial']>): string {
  if ('text' in initial) return initial.text
  const { length, into } = initial.generate
  const generated = randomBytes(length).toString('hex').slice(0, length)
  return into === undefined ? generated : JSON.stringify({ ...into.template, [into.key]: generated })
}
