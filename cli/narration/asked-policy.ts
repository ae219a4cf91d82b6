// What a run of a policy is asked for, in a few words.
import type { RunRequest } from '../../core/contract/runs.ts'

/** `run policy core`, `plan policy core, moving nothing`; the kind of a policy that came itself. */
export function askedPolicy({ policy, shadow }: RunRequest): string {
  const what = typeof policy === 'string' ? `policy ${policy}` : `a ${policy.kind} policy`
  return shadow === true ? `plan ${what}, moving nothing` : `run ${what}`
}
