// Runs a policy now, for the person at the console: the same run as `sluice run rebalance POLICY`. It
// asks first. The form of the question carries the id, so that a yes that is sent twice is one run.

import type { RunRequest } from '../../core/contract/runs.ts'
import type { WithConsent } from '../../place/consent.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { readWho } from '../../place/decider.ts'
import { findPolicy, verbOf } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { findPlace, noteService, readKeys } from '../../place/place.ts'
import { idMadeOf, parseRunId } from '../movements/intent-id.ts'
import type { Watch } from './execution-events.ts'
import { type PolicyRunResult, policyOperations } from './policy-run.ts'
import { runReporting } from './run-to-end.ts'

/** `id`: names the run. The same id is the same run. `by`: who asks, where the place takes a name. */
interface RunNow {
  readonly id: string
  readonly by?: string
}

/** Functions of the caller with which a run asks the person, and shows its progress. */
interface RunCallbacks {
  readonly withConsent: WithConsent
  readonly watch: Watch<RunRequest>
  readonly beginProgress: () => Progress
}

/** @throws OperationError without a result; what `withConsent` throws */
export async function runPolicyNow(
  name: string,
  asked: RunNow,
  flags: ConnectionFlags,
  { withConsent, watch, beginProgress }: RunCallbacks,
  context: OperationContext,
): Promise<PolicyRunResult> {
  const place = findPlace(flags, context)
  const treasury = await place.treasury()
  const policy = findPolicy(name, treasury, 'policy')
  const requester = readWho({ ...flags, ...asked }, context.variables) || undefined
  const effect =
    policy.mode === 'shadow'
      ? 'It is in shadow mode, and moves nothing'
      : 'It plans at the balances and prices of now, and sends its legs, unless people must approve the plan first'
  await noteService(place)
  await withConsent(async (consent) => consent.to(`run policy ${name} now? ${effect}`))
  const operation = policyOperations[verbOf(policy)]
  const request: RunRequest = { policy: name, trigger: { by: 'person' } }
  const service = await readKeys(place, operation.keyRoles(request, treasury, flags))
  const ownId = parseRunId(asked.id)
  const intentId = idMadeOf(operation.verb, ownId)
  const again = { do: 'run', verb: operation.verb, policy: name, id: asked.id } as const
  const run = { operation, watch, place, request, treasury, service, intentId, ownId, again, requester }
  return runReporting(run, beginProgress)
}
