// Wires the ports of one environment, as the product's functions are wired. Conversions and withdrawals use one journal
// and one account, so they share this wiring.

import type { Timing } from '../../core/contract/timing.ts'
import { createMovementGuard } from '../../core/guards/movement-guard.ts'
import { createPolicyTerms, type PolicyTermsSource } from '../../core/guards/policy-terms.ts'
import { createBudgets } from '../../core/journal/budgets.ts'
import { createFloors } from '../../core/journal/floors.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { createLanes } from '../../core/journal/lanes.ts'
import { createPinnedAccount, findPin } from '../../core/journal/pinned-account.ts'
import { createPolicyNames } from '../../core/journal/policy-names.ts'
import { createApprovedLegs } from '../../core/runs/approval/approved-leg.ts'
import { createMovementApprovals } from '../../core/runs/approval/decisions-on-movement.ts'
import { decisionKey } from '../helpers/decision-key.ts'
import { connect } from './connection.ts'
import type { DrawnGuards } from './drawn-guards.ts'
import type { JournalModel } from './journal-model.ts'
import type { Machine } from './machine.ts'
import type { ServiceModel } from './service-model.ts'

export interface Surroundings {
  readonly journal: Pick<JournalModel, 'reachedFrom'>
  readonly service: ServiceModel
  readonly guards: DrawnGuards
  readonly timing: Timing
  readonly shared: boolean | undefined
}

export function wirePorts(machine: Machine, newId: () => string, surroundings: Surroundings) {
  const { journal: table, service, guards, timing, shared } = surroundings
  machine.deployed = guards
  const client = connect(service, machine)
  const records = table.reachedFrom(machine)
  const journal = createJournal(records, newId)
  const policies = planned(
    createPolicyTerms(guards.policies, records, createApprovedLegs(records, guards.policies, decisionKey)),
    service,
  )
  const settings = { everywhere: guards.everywhere, policies }
  return {
    journal,
    account: createPinnedAccount(records, newId, machine.memory.pin),
    findPin: () => findPin(records),
    lanes: createLanes(records, journal, newId),
    halts: createHalts(records, newId, guards),
    guard: createMovementGuard(
      settings,
      createBudgets(records, journal, newId, machine.memory.ended, guards.sumsFrom),
      createFloors(records, journal, newId),
      createMovementApprovals(records, decisionKey),
      createPolicyNames(records, guards.policies),
    ),
    guards: settings,
    ...{ service: client, sender: client, terms: client, clock: machine, newId, timing, shared },
  }
}

/** Where no run has planned it, a policy's movement was planned before the start. */
function planned(source: PolicyTermsSource, { withdrawals }: ServiceModel): PolicyTermsSource {
  return {
    async find(request, intentId) {
      const terms = await source.find(request, intentId)
      return terms && { payee: withdrawals.plannedContact, ...terms }
    },
  }
}

export type Ports = ReturnType<typeof wirePorts>
