// Allows only one run of a policy at a time to freeze legs. The policy's record names that run, the holder, until the run ends.
// If a holder has crashed, the next run ends it after its time is over, unless a leg of it may still be sent. A clock ends no
// leg: a planning step ends conversions by a write, and others end withdrawals. There is no lease that a slow run could lose.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { intentIdOf } from '../../contract/fields.ts'
import { IntentKind, IntentState } from '../../contract/records.ts'
import { RunEnd } from '../../contract/runs.ts'
import { Defect, Transient } from '../../errors.ts'
import { runOf } from '../../journal/entering.ts'
import type { Intent } from '../../journal/intent.ts'
import { hasParams } from '../../journal/journal.ts'
import { endDisapproved, withDecisions } from '../approval/decision.ts'
import { expiredText } from '../approval/end-of-wait.ts'
import { changedTerms, recheckApproval } from '../approval/recheck.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { frozenLegs, holdingOf, isAtEnd, legOf, legRequest, type RunRecord } from '../record/run-record.ts'
import { settle } from '../settle/settle.ts'
import { namesBefore, takeOver } from './renamed-policy.ts'
import { othersWaiting } from './wait.ts'

/**
 * Milliseconds after a run's `notAfter` until no step can still arm one of its legs. A step may have read the clock just before
 * `notAfter`. Its function lives for at most 240 s. The other 60 s are more than the clocks differ.
 */
const OVERDUE_MS = 300_000

/** `memory`: the policy's record, which the run now holds. `busy`: one sentence on why the run does not hold the policy. */
export type Taken = { readonly memory: PolicyRecord } | { readonly busy: string }

/** `taking`: a run that is in the journal and has not ended. A second call changes nothing. @throws Transient, Defect */
export async function takePolicy(taking: RunRecord, ports: RunPorts): Promise<Taken> {
  const { policy } = taking
  const known = await ports.policies.find(policy)
  if (known.holder === holdingOf(taking)) return { memory: await takeOver(known, ports) }
  const former = await mapBounded(await namesBefore(policy, ports), READS_AT_ONCE, ports.policies.find)
  for (const { holder } of [...former, known]) {
    const busy = holder && (await busyWith(holder, taking, ports))
    if (busy) return { busy }
  }
  // Ending the holder may have changed what the policy remembers, but not its holder.
  const free = await ports.policies.find(policy)
  if (free.holder !== known.holder) throw new Transient(`another run took policy ${policy} meanwhile`)
  const others = free.waiting && (await othersWaiting(free, taking, ports))
  const waiting = others && { waiting: others.map(holdingOf) }
  const taken = await ports.policies.advance(free, { holder: holdingOf(taking), ...waiting })
  return { memory: await takeOver(taken, ports) }
}

/** Returns why the holder still blocks the policy; undefined if it has ended, or was ended here. */
async function busyWith(holder: string, taking: RunRecord, ports: RunPorts): Promise<string | undefined> {
  const run = await ports.runs.find(intentIdOf(holder))
  // A run is in the journal before it takes its policy.
  if (!run) throw new Defect(`a policy is held by run ${holder}, which is not in the journal`)
  // The holder ended and began again, so it no longer holds the policy. The first run to write the policy's record gets it.
  if (holdingOf(run) !== holder) return undefined
  if (isAtEnd(run)) return stillSending(run, ports)
  if (run.outcome === RunEnd.AwaitingApproval) return supersede(run, taking.runId, ports)
  if (!isOverdue(run.notAfter, ports)) return `run ${run.runId} of the policy is under way`
  if (await hasLegs(run, mayMove, ports))
    return `run ${run.runId} of the policy has stopped with a leg that may still move; enter it again to settle it`
  const fault = `its time ran out at ${run.notAfter}, and nobody settled it`
  const nowMs = ports.service.clock.nowMs()
  const settling = { fault, entry: run.entry, by: holdingOf(taking), nowMs }
  const settled = await settle(run, settling, ports)
  if (settled.settling === undefined) return undefined
  const { length: read } = settled.settling.legs
  throw new Transient(`run ${run.runId} of the policy is being settled: ${read} of its legs are read`)
}

/**
 * Returns why a run that needs attention still blocks its policy: it may send a leg in doubt again. A leg in state READY counts
 * too: its last attempt was certified a zero, so the next attempt will be sent.
 */
async function stillSending(run: RunRecord, ports: RunPorts): Promise<string | undefined> {
  if (run.outcome !== RunEnd.NeedsAttention) return undefined
  return (await hasLegs(run, isUnsettled, ports)) ? `a leg of run ${run.runId} of the policy is in doubt` : undefined
}

/**
 * Ends a plan that waits for approval, if it expired, was rejected, or rests on facts that have changed. Otherwise returns why
 * it stays: a newer plan would be the same. An approved plan stays until it expires, so that it can be carried out.
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
  const { changed, waits } = isExpired ? {} : await recheckApproval(run, await policies.find(run.policy), ports)
  if (!isExpired && changed === undefined) {
    const state = waits ?? 'nothing that its plan rests on has changed'
    return `run ${run.runId} of the policy waits for approval until ${approval.expiresAt}, and ${state}`
  }
  const why = isExpired ? expiredText(approval) : `run ${runId} has taken its place: ${changed}`
  const endedAt = new Date(service.clock.nowMs()).toISOString()
  await runs.advance(run, { outcome: RunEnd.ApprovalVoid, endedAt, why })
  return undefined
}

function isOverdue(notAfter: string, { service }: RunPorts): boolean {
  return service.clock.reachedMs() >= Date.parse(notAfter) + OVERDUE_MS
}

/** Whether a leg has not ended. A leg that was never begun counts as ended: settling its run has closed it. */
function isUnsettled(intent: Intent | undefined): boolean {
  return intent?.state === IntentState.Ready || intent?.state === IntentState.Armed
}

/**
 * Whether a leg of a stopped run may move: it may have been sent, or may be sent. A planning step ends conversions that were
 * not sent by a write. It has no right to write withdrawals: they move until the step that settles their run has ended them.
 */
function mayMove(intent: Intent | undefined, kind: IntentKind): boolean {
  if (intent?.state === IntentState.Armed) return true
  return kind === IntentKind.Withdraw && (intent === undefined || intent.state === IntentState.Ready)
}

async function hasLegs(
  run: RunRecord,
  isSuch: (intent: Intent | undefined, kind: IntentKind) => boolean,
  { journal }: RunPorts,
): Promise<boolean> {
  const own = await mapBounded(frozenLegs(run), READS_AT_ONCE, async (frozen) => {
    const leg = legOf(run, frozen)
    const intent = await journal.find(frozen.intentId, leg.kind)
    return isSuch(intent, leg.kind) && (intent === undefined || isOwn(intent, run, legRequest(run, leg)))
  })
  return own.includes(true)
}

/**
 * Whether the run itself began the intent. A row of a file has one intent in all runs: where another run began it, this run
 * has sent nothing for the row, and never will. An intent is another's only where both its run and its hash say so.
 */
function isOwn(intent: Intent, { runId }: RunRecord, request: object): boolean {
  return runOf(intent) === runId || hasParams(intent, request)
}
