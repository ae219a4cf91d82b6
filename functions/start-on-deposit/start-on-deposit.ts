// StartOnDeposit: starts the policies that a signed delivery was queued for, each once. It starts policies by their names, as
// treasury.json has them, and only those that wait for deposits: whatever came into the queue, nothing else can begin.

import type { Clock } from '../../core/clock.ts'
import { DepositOutcome, type DepositReport, type DepositStart } from '../../core/contract/triggers.ts'
import type { Inbox } from '../../core/journal/inbox.ts'
import { depositAssetOf, machineOf } from '../../core/policies/kinds.ts'
import type { Requesters } from '../../core/runs/approval/requesters.ts'
import { depositName } from '../../core/triggers/names.ts'
import { type Policies, policyStart } from '../../core/triggers/policy-start.ts'
import type { Starter } from '../../core/triggers/starter.ts'

export interface StartOnDepositPorts {
  readonly inbox: Inbox
  readonly policies: Policies
  readonly starter: Starter
  /** Whether keys of this deployment were seen to work. @throws Transient */
  readonly isVerified: () => Promise<boolean>
  readonly requesters: Pick<Requesters, 'record'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** @throws Transient, OwnFault, Defect: then it comes out of the queue again, and what was started is not started twice */
export async function startOnDeposit(
  { delivery, policies: named }: DepositStart,
  { inbox, policies, starter, isVerified, requesters, clock }: StartOnDepositPorts,
): Promise<DepositReport> {
  // Before that nobody has said whose the journal is either. The run that was asked for is not lost: it waits in the queue.
  if (!(await isVerified())) return nothing(DepositOutcome.NotVerified)
  if (await inbox.has(delivery)) return nothing(DepositOutcome.Duplicate)
  const executions: string[] = []
  for (const policy of named) {
    // One that waits for no deposit has changed since it was queued.
    const known = Object.hasOwn(policies, policy) ? policies[policy] : undefined
    if (known === undefined || depositAssetOf(known) === undefined) continue
    const start = policyStart(depositName(policy, delivery), policy, machineOf(known), {
      ...{ by: 'deposit', id: delivery },
    })
    const at = new Date(clock.nowMs()).toISOString()
    await requesters.record(start.name, { kind: 'deposit', by: delivery, at }, start.input)
    // Whatever has this name is this very start: the name holds the policy and every byte of the delivery.
    await starter.start(start)
    executions.push(start.name)
  }
  // After the starts: a crash in between starts again, under the same names.
  await inbox.put(delivery, new Date(clock.nowMs()).toISOString(), executions)
  return { outcome: executions.length === 0 ? DepositOutcome.NotAwaited : DepositOutcome.Started, executions }
}

function nothing(outcome: DepositOutcome): DepositReport {
  return { outcome, executions: [] }
}
