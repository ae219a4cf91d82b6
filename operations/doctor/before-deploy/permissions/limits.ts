// Sums up which permissions a limiting policy refuses, and says it shortly. Names the values of condition keys that
// every request of a deployment's roles has. Pure.
import type { Place } from '../place.ts'
import { judge, type KnownValues, type LimitingPolicy } from './limiting-policy.ts'
import type { Permission } from './needed-permissions.ts'

/** A finding stays readable with so many permissions. */
const MOST_NAMED = 5

interface Lacks {
  readonly refused: readonly Permission[]
  /** Permissions about which `keys` decide: condition keys, or Resource where it names a part of the resources. */
  readonly open: { readonly text: string; readonly keys: readonly string[] }
}

export function lacksOf(policy: LimitingPolicy, needed: readonly Permission[], known: KnownValues): Lacks {
  const judged = needed.map((permission) => ({ permission, verdict: judge(policy, permission, known) }))
  const open = judged.flatMap(({ permission, verdict }) =>
    verdict.is === 'open' ? [{ permission, keys: verdict.keys }] : [],
  )
  return {
    refused: judged.flatMap(({ permission, verdict }) => (verdict.is === 'refused' ? [permission] : [])),
    open: {
      text: limitText(open.map(({ permission }) => permission)),
      keys: [...new Set(open.flatMap(({ keys }) => keys))],
    },
  }
}

/** One resource for each action, and the first few actions. */
export function limitText(permissions: readonly Permission[]): string {
  const byAction = new Map(permissions.map(({ action, resource }) => [action, `${action} on ${resource}`]))
  const texts = [...byAction.values()]
  const more = texts.length - MOST_NAMED
  return `${texts.slice(0, MOST_NAMED).join(', ')}${more > 0 ? `, and ${more} more actions` : ''}`
}

export function knownOf({ account, region }: Place): KnownValues {
  return {
    ...{ 'aws:principalaccount': account, 'aws:resourceaccount': account, 'aws:requestedregion': region },
    // The SDK and the services of AWS send by TLS alone.
    'aws:securetransport': 'true',
  }
}
