// One run of a policy at a time. The policy's record names the run that may freeze legs. The policy is free once that run
// is at an end, and not before. A run that nobody carries on any more is ended here when its time is over: so a crash
// blocks a policy for the life of one run at most, and there is no lease to lose.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { intentIdOf } from '../../contract/fields.ts'
import { IntentKind, IntentState } from '../../contract/records.ts'
import { RunEnd } from '../../contract/runs.ts'
import { Defect, Transient } from '../../errors.ts'
import { endDisapproved, withWords } from '../approval/decision.ts'
import { changedTerms, lookAgain } from '../approval/look-again.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { frozenLegs, holdingOf, isAtEnd, legOf, type RunRecord } from '../record/run-record.ts'
import { settle } from '../settle/settle.ts'
import { takeOver } from './renamed-policy.ts'
import { othersWaiting } from './wait.ts'

/**
 * Past a run's time by so much, no step that read the clock before its end can still arm a leg of it: a function
 * that sends lives for 240 s at most, and clocks differ by less than the rest.
 */
const OVERDUE_MS = 300_000

/**
 * A planner may write no withdrawal. None has to be ended here: nothing is armed from a run's time on, so one that is not
 * armed once the run is overdue never will be.
 */
const PLANNERS_CLOSE = [IntentKind.Convert]

/** The policy is this run's; or, in one sentence, why it is not. */
export type Taken = { readonly memory: PolicyRecord } | { readonly busy: string }

/** The run is in the journal, and not at an end. Asking again changes nothing. @throws Transient, Defect */
export async function takePolicy(taking: RunRecord, ports: RunPorts): Promise<Taken> {
  const { runId, policy, asPlanned } = taking
  const known = await ports.policies.find(policy)
  if (known.holder === holdingOf(taking)) return { memory: await takeOver(known, asPlanned, ports) }
  const before = asPlanned.was === undefined ? undefined : (await ports.policies.find(asPlanned.was)).holder
  const busyBefore = before && (await busyWith(before, runId, ports))
  if (busyBefore) return { busy: busyBefore }
  if (known.holder !== undefined) {
    const busy = await busyWith(known.holder, runId, ports)
    if (busy !== undefined) return { busy }
  }
  // Ending the holder may have changed what the policy remembers, but not whose it is.
  const free = await ports.policies.find(policy)
  if (free.holder !== known.holder) throw new Transient(`another run took policy ${policy} meanwhile`)
  const others = free.waiting && (await othersWaiting(free, taking, ports))
  const waiting = others && { waiting: others.map(holdingOf) }
  const taken = await ports.policies.advance(free, { holder: holdingOf(taking), ...waiting })
  return { memory: await takeOver(taken, asPlanned, ports) }
}

/** Undefined once the holder is at an end. */
async function busyWith(holder: string, runId: string, ports: RunPorts): Promise<string | undefined> {
  const run = await ports.runs.find(intentIdOf(holder))
  // A run is in the journal before it takes its policy.
  if (!run) throw new Defect(`a policy is held by run ${holder}, which is not in the journal`)
  // It ended, and began again: that holding is over, and which of the two takes the policy its record decides.
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
 * A leg in doubt may be tried again until the run's time is over; from then on it can only be settled. One that
 * was certified a zero meanwhile is READY for its next attempt, and is about to be sent.
 */
async function stillSending(run: RunRecord, ports: RunPorts): Promise<string | undefined> {
  if (run.outcome !== RunEnd.NeedsAttention || isOverdue(run.notAfter, ports)) return undefined
  return (await hasLegs(run, UNSETTLED, ports)) ? `a leg of run ${run.runId} of the policy is in doubt` : undefined
}

/**
 * A plan that waits for a person stays while it might be approved: a newer one would only say the same. One that is
 * approved has its time to be carried out. What it rests on having changed, it goes for a newer one.
 */
async function supersede(waiting: RunRecord, runId: string, ports: RunPorts): Promise<string | undefined> {
  const { policies, runs, service } = ports
  const run = await withWords(waiting, ports)
  const { approval } = run
  const isExpired = approval === undefined || service.clock.reachedMs() >= Date.parse(approval.expiresAt)
  if (approval?.decision === 'approved' && !isExpired && changedTerms(run, ports) === undefined)
    return `run ${run.runId} of the policy is approved and about to go on`
  if (approval?.decision === 'rejected') {
    await endDisapproved(run, runs)
    return undefined
  }
  const { changed, waits } = isExpired ? {} : await lookAgain(run, await policies.find(run.policy), ports)
  if (!isExpired && changed === undefined) {
    const as = waits ?? 'nothing that its plan rests on has changed'
    return `run ${run.runId} of the policy waits for approval until ${approval.expiresAt}, and ${as}`
  }
  const why = isExpired
    ? `nobody carried it out until ${approval?.expiresAt}`
    : `run ${runId} has taken its place: ${changed}`
  const endedAt = new Date(service.clock.nowMs()).toISOString()
  await runs.advance(run, { outcome: RunEnd.ApprovalVoid, endedAt, why })
  return undefined
}

function isOverdue(notAfter: string, { service }: Pick<RunPorts, 'service'>): boolean {
  return service.clock.reachedMs() >= Date.parse(notAfter) + OVERDUE_MS
}

/** A leg that may have moved: only who carries it on can say what became of it. */
const DOUBTFUL: ReadonlySet<IntentState> = new Set([IntentState.Armed])
/** A leg that has moved, or still may. */
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
