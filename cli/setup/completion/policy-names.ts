// Reads the names of the policies in the treasury.json of a half-written command. An unreadable file has no names: a
// completion never fails, and the command itself will report the fault.

import { readFileSync, statSync } from 'node:fs'
import { decodeText } from '../../../core/treasury/decode-text.ts'
import type { Variables } from '../../../place/context.ts'
import { resolveSettings } from '../../../place/settings.ts'

export interface NamedKind {
  readonly name: string
  readonly kind: string
}

/** Maximum size. Every real treasury.json is far smaller. */
const MOST_BYTES = 4 * 1024 * 1024

export function policiesIn(words: readonly string[], { SLUICE_CONFIG }: Variables): readonly NamedKind[] {
  try {
    const config = configIn(words)
    const { configFile } = resolveSettings(config === undefined ? {} : { config }, { SLUICE_CONFIG })
    if (statSync(configFile).size > MOST_BYTES) return []
    const { policies } = JSON.parse(decodeText(readFileSync(configFile)))
    return Object.entries(policies).map(([name, policy]) => ({ name, kind: kindOf(policy) }))
  } catch {
    return []
  }
}

function configIn(words: readonly string[]): string | undefined {
  const at = words.lastIndexOf('--config')
  return at === -1 ? words.findLast((word) => word.startsWith('--config='))?.slice('--config='.length) : words[at + 1]
}

function kindOf(policy: unknown): string {
  return typeof policy === 'object' && policy !== null && 'kind' in policy ? String(policy.kind) : ''
}
