// Writes what a rebuild has judged: the record of an intent or of a run, and the claim on a movement. A record that
// another process has written meanwhile is left to the next rebuild. It may be cut off anywhere, and repeated.
import { randomUUID } from 'node:crypto'
import { convertRequest } from '../../core/contract/convert.ts'
import { assetCode } from '../../core/contract/fields.ts'
import { PolicyKind, policy as policySchema } from '../../core/contract/policies.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { RunRequest } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import { withdrawRequest } from '../../core/contract/withdraw.ts'
import type { Intent, LostFrozen } from '../../core/journal/intent.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { createLanes } from '../../core/journal/lanes.ts'
import { hashParams } from '../../core/params-hash.ts'
import { findRequestedPolicy, type RequestedPolicy } from '../../core/runs/record/request.ts'
import { newRun } from '../../core/runs/record/runs.ts'
import type { ConfiguredJournal, IntentAccess, RecordAccess, RunAccess } from '../../place/journal/journal-parts.ts'
import { ATTENTION, REBUILT, type Repair } from './judge.ts'
import type { SurveyedIntent, SurveyedRun } from './survey.ts'

export type Writing = ConfiguredJournal & IntentAccess & RunAccess & Pick<RecordAccess, 'store'>

/** @returns what was written, in words. @throws Transient where another process wrote first, Refused */
export async function writeIntent(
  { evidence, intent, repair }: SurveyedIntent,
  { journal, store, treasury }: Writing,
  nowMs: number,
): Promise<string | undefined> {
  if (repair === undefined) return undefined
  const { intentId, kind } = evidence
  const claimFor = async (movementId: string) => {
    const holder = await journal.claim(kind, movementId, intentId)
    return holder === undefined ? undefined : `movement ${movementId} is already claimed by ${holder}`
  }
  const taken = repair.write === 'done' ? await claimFor(repair.movementId) : undefined
  const final: Repair = taken === undefined ? repair : { write: 'escalated', because: taken }
  const params = paramsOf(kind, evidence.request)
  // Lanes are closed before the record exists, so that it is listed as lost from its first moment.
  if (final.write === 'escalated' && kind === IntentKind.Withdraw) {
    const asset = assetCode.safeParse((params as { readonly assetSymbol?: unknown }).assetSymbol).data
    if (asset !== undefined) await createLanes(store, journal, randomUUID).closeForLost(asset, intentId)
  }
  const known = intent ?? (await openLost(evidence, params, final, treasury.timing, { journal, nowMs }))
  return finish(known, final, journal)
}

/** ESCALATED at once, or at its zero, so that no step can find it READY. */
async function openLost(
  { intentId, kind, startedAt }: SurveyedIntent['evidence'],
  params: unknown,
  repair: Repair,
  timing: Timing,
  { journal, nowMs }: { readonly journal: Journal; readonly nowMs: number },
): Promise<Intent> {
  const frozen: LostFrozen = { isEnteredAgain: true, fenceSeconds: longestFenceSeconds(timing) }
  const opening = { intentId, kind, params, frozen, createdAt: startedAt, notAfter: new Date(nowMs).toISOString() }
  if (repair.write === 'zero') {
    const { outcome, state, why } = repair.zero
    return journal.open<IntentKind>(opening, { state, outcome, why: `${why} (${REBUILT})` })
  }
  const why = repair.write === 'done' ? madeText(repair.movementId) : `${repair.because} (${REBUILT})`
  const end = { state: IntentState.Escalated, outcome: ATTENTION, why }
  return journal.open<IntentKind>(opening, end)
}

function madeText(movementId: string): string {
  return `it made ${movementId} (${REBUILT})`
}

async function finish(intent: Intent, repair: Repair, journal: Journal): Promise<string> {
  switch (repair.write) {
    case 'done': {
      const { movementId } = repair
      // Quote terms without their movement are dropped.
      const isItsAttempt =
        intent.attempt !== undefined && 'orderId' in intent.attempt && intent.attempt.orderId === movementId
      const attempt = isItsAttempt ? {} : { attempt: undefined }
      if (intent.state !== IntentState.Done)
        await journal.advance(intent, {
          state: IntentState.Done,
          ref: movementId,
          why: madeText(movementId),
          ...attempt,
        })
      return `DONE by ${movementId}`
    }
    case 'zero': {
      const { outcome, state, why } = repair.zero
      if (intent.state !== state) await journal.advance(intent, { state, outcome, why: `${why} (${REBUILT})` })
      return `${state} (${outcome})`
    }
    case 'escalated': {
      const why = `${repair.because} (${REBUILT})`
      // Only the request says what it sent, because its recorded attempt may be an older one.
      if (intent.state !== IntentState.Escalated)
        await journal.advance(intent, { state: IntentState.Escalated, outcome: ATTENTION, why, attempt: undefined })
      return 'ESCALATED'
    }
  }
}

/** The params as a step would have frozen them. The same id is refused with other params. */
function paramsOf(kind: IntentKind, request: unknown): unknown {
  const schema = kind === IntentKind.Convert ? convertRequest : withdrawRequest
  const fallback = request !== null && typeof request === 'object' ? request : {}
  return schema.safeParse(request).data ?? fallback
}

/** @returns what was written, in words. @throws Transient, Refused */
export async function writeRun(
  { end, evidence, run, stateMachine }: SurveyedRun,
  { runJournal, treasury }: Writing,
): Promise<string | undefined> {
  if (end === undefined) return undefined
  const endedAt = evidence.startedAt
  if (run !== undefined) {
    await runJournal.runs.advance(run, { ...end, endedAt })
    return end.outcome
  }
  const { entry, request, runId, startedAt } = evidence
  if (request === undefined)
    return 'nothing: its input asks for no policy, so a later entry of it ends FAILED and moves nothing'
  const requestedPolicy = findRequestedPolicy(request, treasury) ?? goneOf(request, stateMachine)
  const fresh = newRun({ runId, startedAt, entry, request, requestedPolicy, notAfter: startedAt })
  await runJournal.runs.open({ ...fresh, ...end, endedAt })
  return end.outcome
}

/**
 * A policy that treasury.json no longer has. Its rules are unknown, so it is recorded in shadow mode. The run has
 * ended, and its record prevents another run of this id if a policy of this name returns.
 */
function goneOf({ policy: name }: RunRequest, stateMachine: StateMachine): RequestedPolicy {
  const kept = stateMachine === StateMachine.Sweep ? GONE.sweep : GONE.rebalance
  const policy = policySchema.parse({ ...kept, mode: 'shadow' })
  // The request knows a policy that came with it.
  return { name: String(name), policy, policyHash: hashParams(policy) }
}

/** An empty policy of each kind. */
const GONE = {
  rebalance: { kind: PolicyKind.Rebalance, weights: {} },
  sweep: { kind: PolicyKind.Sweep, rules: [{ assets: ['NONE'], contactId: 'none' }] },
} as const
