// Lets one run of a policy at a time freeze legs: the policy's record names that run. The policy is free once the run has
// ended, and not before. A run that nobody continues is ended here once its time is over. So a crash blocks a policy for the
// life of one run at most, and no lease can be lost.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { intentIdOf } from '../../contract/fields.ts'
import { IntentKind, IntentState } from '../../contract/records.ts'
import { RunEnd } from '../../contract/runs.ts'
import { Defect, Transient } from '../../errors.ts'
import { endDisapproved, withDecisions } from '../approval/decision.ts'
import { expiredText } from '../approval/end-of-wait.ts'
import { changedTerms, lookAgain } from '../approval/look-again.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { frozenLegs, holdingOf, isAtEnd, legOf, type RunRecord } from '../record/run-record.ts'
import { settle } from '../settle/settle.ts'
import { takeOver } from './renamed-policy.ts'
import { othersWaiting } from './wait.ts'

/**
 * Milliseconds. This long after a run's time, no step that read the clock before can still arm a leg of it. A function that
 * sends lives for at most 240 s, and clocks differ by less than the rest.
 */
const OVERDUE_MS = 300_000

/**
 * Kinds of intents that a planner may end. A planner may write no withdrawal, and need not. Nothing is armed after a run's
 * time, so a withdrawal that is not armed once the run is overdue never will be.
 */
const PLANNERS_CLOSE = [IntentKind.Convert]

/** The policy's record once the run holds the policy; or one sentence on why it does not. */
export type Taken = { readonly memory: PolicyRecord } | { readonly busy: string }

/** Needs a run in the journal that has not ended. A second call changes nothing. @throws Transient, Defect */
export async function takePolicy(taking: RunRecord, ports: RunPorts): Promise<Taken> {
  const { runId, policy, asPlanned } = taking
  const known = await ports.policies.find(policy)
  if (known.holder === holdingOf(taking)) return { memory: await takeOver(known, asPlanned, ports) }
  const formerHolder = asPlanned.was === undefined ? undefined : (await ports.policies.find(asPlanned.was)).holder
  const busyBefore = formerHolder && (await busyWith(formerHolder, runId, ports))
  if (busyBefore) return { busy: busyBefore }
  if (known.holder !== undefined) {
    const busy = await busyWith(known.holder, runId, ports)
    if (busy !== undefined) return { busy }
  }
  // Ending the holder may have changed what the policy remembers, but not its holder.
  const free = await ports.policies.find(policy)
  if (free.holder !== known.holder) throw new Transient(`another run took policy ${policy} meanwhile`)
  const others = free.waiting && (await othersWaiting(free, taking, ports))
  const waiting = others && { waiting: others.map(holdingOf) }
  const taken = await ports.policies.advance(free, { holder: holdingOf(taking), ...waiting })
  return { memory: await takeOver(taken, asPlanned, ports) }
}

/** Undefined once the holder has ended. */
async function busyWith(holder: string, runId: string, ports: RunPorts): Promise<string | undefined> {
  const run = await ports.runs.find(intentIdOf(holder))
  // A run is in the journal before it takes its policy.
  if (!run) throw new Defect(`a policy is held by run ${holder}, which is not in the journal`)
  // The holder ended and began again: the old hold is over, and the policy's record decides which of the two gets it next.
  if (holdingOf(run) !== holder) return undefined
  if (isAtEnd(run)) return stillSending(run, ports)
  if (run.outcome === RunEnd.AwaitingApproval) return supersede(run, runId, ports)
  if (!isOverdue(run.notAfter, ports)) return `run ${run.runId} of the policy is under way`
  if (await hasLegs(run, DOUBTFUL, ports))
    return `run ${run.runId} of the policy has stopped with a leg in doubt; enter it again to settle it`
  const fault = `its time ran out at ${run.notAfter}, and nobody settled it`
  const nowMs = ports.service.clock.nowMs()
  await settle(run, { fault, entry: run.entry, totalValueAfter: undefined, nowMs, closes: PLANNERS_CLOSE }, ports)
  return undefined
}

/**
 * A leg in doubt may be tried again until the run's time is over; later it can only be settled. A leg that was certified a zero
 * meanwhile is READY, and its next attempt will be sent.
 */
async function stillSending(run: RunRecord, ports: RunPorts): Promise<string | undefined> {
  if (run.outcome !== RunEnd.NeedsAttention || isOverdue(run.notAfter, ports)) return undefined
  return (await hasLegs(run, UNSETTLED, ports)) ? `a leg of run ${run.runId} of the policy is in doubt` : undefined
}

/**
 * A plan that waits for a person stays while it may be approved: a newer plan would be the same. An approved plan keeps its
 * time to be carried out. A plan whose basis has changed makes room for a newer one.
 */
async function supersede(waiting: RunRecord, runId: string, ports: RunPorts): Promise<string | undefined> {
  const { policies, runs, service } = ports
  const run = await withDecisions(waiting, ports)
  const { approval } = run
  if (approval === undefined) throw new TypeError(`run ${run.runId} waits without an approval`)
  const isExpired = service.clock.reachedMs() >= Date.parse(approval.expiresAt)
  if (approval.decision === 'approved' && !isExpired && changedTerms(run, ports) === undefined)
    return `run ${run.runId} of the policy is approved and about to go on`
  if (approval.decision === 'rejected') {
    await endDisapproved(run, runs)
    return undefined
  }
  const { changed, waits } = isExpired ? {} : await lookAgain(run, await policies.find(run.policy), ports)
  if (!isExpired && changed === undefined) {
    const state = waits ?? 'nothing that its plan rests on has changed'
    return `run ${run.runId} of the policy waits for approval until ${approval.expiresAt}, and ${state}`
  }
  const why = isExpired ? expiredText(approval) : `run ${runId} has taken its place: ${changed}`
  const endedAt = new Date(service.clock.nowMs()).toISOString()
  await runs.advance(run, { outcome: RunEnd.ApprovalVoid, endedAt, why })
  return undefined
}

function isOverdue(notAfter: string, { service }: Pick<RunPorts, 'service'>): boolean {
  return service.clock.reachedMs() >= Date.parse(notAfter) + OVERDUE_MS
}

/** States of a leg that may have moved: only its own step can say what became of it. */
const DOUBTFUL: ReadonlySet<IntentState> = new Set([IntentState.Armed])
/** States of a leg that is not settled: it may have moved, or still may. */
const UNSETTLED: ReadonlySet<IntentState> = new Set([IntentState.Ready, IntentState.Armed])

async function hasLegs(
  run: RunRecord,
  states: ReadonlySet<IntentState>,
  { journal }: Pick<RunPorts, 'journal'>,
): Promise<boolean> {
  const intents = await mapBounded(frozenLegs(run), READS_AT_ONCE, (leg) =>
    journal.find(leg.intentId, legOf(run, leg).kind),
  )
  return intents.some((intent) => intent !== undefined && states.has(intent.state))
}
