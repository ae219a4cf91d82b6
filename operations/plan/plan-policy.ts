// Plans what a policy would do now. It runs the same state machine that moves money, as a shadow run, so the plan is
// what a real run would carry out. It also notes names in the policy that the service does not have.

import type { Plan } from '../../core/contract/plan.ts'
import type { Policy } from '../../core/contract/policies.ts'
import type { RunRequest } from '../../core/contract/runs.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { printable } from '../../core/printable.ts'
import type { NamedService } from '../../place/configuration.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { findRequester } from '../../place/decider.ts'
import { findPolicy, type PolicyVerb, verbOf } from '../../place/named-policy.ts'
import { advice, type ConnectionFlags } from '../../place/next-step.ts'
import { failedWith } from '../../place/operation-error.ts'
import { findPlace, noteService, readKeys } from '../../place/place.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { policyChecks } from '../doctor/policy-checks.ts'
import { idMadeOf, newRunId } from '../movements/intent-id.ts'
import type { Watch } from '../runs/execution-events.ts'
import { policyOperations } from '../runs/policy-run.ts'
import { runToEnd } from '../runs/run-to-end.ts'
import { outcomeWords } from '../words/outcome-words.ts'

export interface PlannedPolicy {
  readonly plan: Plan
  /** Id of the run that planned. */
  readonly runId: string
  readonly outcome: string
  /** In words. */
  readonly why: string
  /** The machine that carries the plan out. */
  readonly verb: PolicyVerb
  /** Whether the policy is in shadow mode. A run of it then moves nothing either. */
  readonly isShadow: boolean
}

interface Reporting {
  readonly watch: Watch<RunRequest>
  readonly progress: Progress
}

/** @throws OperationError where the run made no plan */
export async function planPolicy(
  name: string,
  flags: ConnectionFlags,
  { progress, watch }: Reporting,
  context: OperationContext,
): Promise<PlannedPolicy> {
  const place = findPlace(flags, context)
  const treasury = await place.treasury()
  const policy = findPolicy(name, treasury, 'policy')
  const verb = verbOf(policy)
  await noteService(place)
  const service = await readKeys(place, [KeyRole.Read])
  if (service !== undefined) await noteMismatches({ name, policy }, { treasury, service }, context)
  const request: RunRequest = { policy: name, shadow: true, trigger: { by: 'person' } }
  const run = {
    operation: policyOperations[verb],
    watch,
    place,
    request,
    treasury,
    service,
    intentId: idMadeOf(verb, newRunId()),
    requester: findRequester(flags, context.variables),
    again: { do: 'plan', policy: name } as const,
    leavesUnfinishedTo: { do: 'serve', needsKeys: true } as const,
  }
  const result = await runToEnd(run, progress)
  const { outcome, runId } = result
  const why = result.why ?? outcomeWords(outcome).says
  const plan = 'plan' in result ? result.plan : undefined
  if (plan !== undefined) return { plan, runId, outcome, why, verb, isShadow: policy.mode === 'shadow' }
  throw failedWith('refused', `policy ${name}: there is no plan: ${outcome}: ${why}`, {
    do: 'list-policies',
    why: 'who runs, and what is halted',
  })
}

interface NamedPolicy {
  readonly name: string
  readonly policy: Policy
}

/** The file that has the policy, and the service that its names are looked up at. */
interface Looked {
  readonly treasury: Treasury
  readonly service: NamedService
}

/**
 * Notes names in the policy that the service does not have. A failed read is noted too, and the plan says more about
 * it.
 */
async function noteMismatches(
  { name, policy }: NamedPolicy,
  { treasury: { guards }, service: { url: baseUrl, readKey: key } }: Looked,
  { output, clock }: Pick<OperationContext, 'output' | 'clock'>,
): Promise<void> {
  const checks = await withConnection({ baseUrl, key, clock }, (client) =>
    policyChecks({ policies: { [name]: policy }, guards }, client),
  )
  for (const { status, check, detail, next } of checks) {
    if (status !== 'ok') output.note(advice`${status}  ${check}: ${printable(detail)} → ${next ?? ''}`)
  }
}
