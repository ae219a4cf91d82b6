// StartOnDeposit: starts the policies that a signed delivery was queued for, each once. Starts only policies of
// treasury.json that wait for deposits, whatever the queue contains.

import type { Clock } from '../../core/clock.ts'
import { DepositOutcome, type DepositReport, type DepositStart } from '../../core/contract/triggers.ts'
import type { Inbox } from '../../core/journal/inbox.ts'
import { depositAssetOf, machineOf } from '../../core/policies/kinds.ts'
import type { Requesters } from '../../core/runs/approval/requesters.ts'
import { runNameOfDeposit } from '../../core/triggers/names.ts'
import { type Policies, policyStart } from '../../core/triggers/policy-start.ts'
import type { Starter } from '../../core/triggers/starter.ts'

interface StartOnDepositPorts {
  readonly inbox: Inbox
  readonly policies: Policies
  readonly starter: Starter
  /** Whether keys of this deployment were verified. @throws Transient */
  readonly isVerified: () => Promise<boolean>
  readonly requesters: Pick<Requesters, 'record'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** @throws Transient, OwnFault, Defect; the queue then delivers the message again, and no run starts twice */
export async function startOnDeposit(
  { delivery, policies: requested }: DepositStart,
  { inbox, policies, starter, isVerified, requesters, clock }: StartOnDepositPorts,
): Promise<DepositReport> {
  // Before the verification nobody has declared the journal either. The requested run is not lost: it waits in the
  // queue.
  if (!(await isVerified())) return startedNothing(DepositOutcome.NotVerified)
  if (await inbox.has(delivery)) return startedNothing(DepositOutcome.Duplicate)
  const executions: string[] = []
  for (const policy of requested) {
    // The policy may have changed since the message was queued.
    const known = Object.hasOwn(policies, policy) ? policies[policy] : undefined
    if (known === undefined || depositAssetOf(known) === undefined) continue
    const start = policyStart(runNameOfDeposit(policy, delivery), policy, machineOf(known), {
      by: 'deposit',
      id: delivery,
    })
    const at = new Date(clock.nowMs()).toISOString()
    await requesters.record(start.name, { kind: 'deposit', by: delivery, at }, start.input)
    // An execution of this name is this very start, because the name contains the policy and a hash of every byte of
    // the delivery.
    await starter.start(start)
    executions.push(start.name)
  }
  // Written after the starts. After a crash in between the starts repeat under the same names.
  await inbox.put(delivery, new Date(clock.nowMs()).toISOString(), executions)
  return { outcome: executions.length === 0 ? DepositOutcome.NotAwaited : DepositOutcome.Started, executions }
}

function startedNothing(outcome: DepositOutcome): DepositReport {
  return { outcome, executions: [] }
}
