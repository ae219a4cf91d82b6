// Finds faults across the notices of treasury.json: repeated names and events, and unknown policies. Pure.
import type { Treasury } from '../contract/treasury.ts'
import { fault, type PolicyFault } from '../policies/policy-fault.ts'
import { nearestHint } from './nearest-name.ts'

export function findNoticeFaults({ notices = [], policies }: Pick<Treasury, 'notices' | 'policies'>): PolicyFault[] {
  const names = notices.map(({ name }) => name)
  return notices.flatMap(({ name, about, policies: named = [] }, index) => [
    ...(names.indexOf(name) === index
      ? []
      : [fault(['notices', index, 'name'], `expected another name; ${name} is that of another notice`)]),
    ...about.flatMap((each, at) =>
      about.indexOf(each) === at
        ? []
        : [fault(['notices', index, 'about', at], `expected each once; got ${each} again`)],
    ),
    ...named.flatMap((policy, at) => {
      if (Object.hasOwn(policies, policy)) return []
      const hint = nearestHint(policy, Object.keys(policies))
      return [fault(['notices', index, 'policies', at], `expected a policy of this file; got ${policy}${hint}`)]
    }),
  ])
}
