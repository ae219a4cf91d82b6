// Decides whether people have approved a movement that a rule of `guards.approval` touches. Decisions on its terms count. For a
// leg of a run, decisions on the plan count too where they satisfy the rule. The steps that send use this file, and so does
// every list of waiting movements. It writes nothing.

import { recordKey } from '../../contract/records.ts'
import type { Requester } from '../../contract/runs.ts'
import type {
  ApprovableMovement,
  MovementApprovals,
  MovementDecisions,
  TouchedRule,
} from '../../guards/approval-rules.ts'
import type { RecordStore } from '../../journal/record-store.ts'
import { parseDecimal } from '../../money/decimal.ts'
import { type RunRecord, runOfRecord } from '../record/run-record.ts'
import { findUnapproved, findUnapprovedLeg } from './approved-leg.ts'
import { recordedPlanHash } from './ask.ts'
import { requesterOf } from './decision.ts'
import { createDecisionReader } from './decisions.ts'
import { createRequesterReader } from './requesters.ts'
import type { DecisionVerifier } from './signed-decision.ts'
import { type Decision, type DecisionState, decisionStateOf, disregardOf } from './standing.ts'

/** A single movement has no recorded requester. An approver may have asked for it, so one more person may have to approve. */
const UNNAMED: Requester = { kind: 'event', by: '', at: '' }

export function createMovementApprovals(store: RecordStore, key: DecisionVerifier): MovementApprovals {
  const decisions = createDecisionReader(store, key)
  const requesters = createRequesterReader(store)

  async function isApprovedLeg(
    { intentId, run: runId }: ApprovableMovement,
    rules: readonly TouchedRule[],
  ): Promise<boolean> {
    const record = runId === undefined ? undefined : await store.read(recordKey.run(runId))
    const run = record && runOfRecord(record)
    const planHash = run && recordedPlanHash(run)
    if (run === undefined || planHash === undefined) return false
    const [words, recorded] = await Promise.all([decisions.find(run.runId, planHash), requesters.find(run.runId)])
    if (findUnapproved(run, { words, recorded }) !== undefined || findUnapprovedLeg(run, intentId) !== undefined)
      return false
    const requester = requesterOf(run, recorded)
    return rules.every((touched) => {
      const counted = words.map((word) => asCounted(word, run, touched))
      return decisionStateOf(counted, { ...termsOf(touched), requester }).decision === 'approved'
    })
  }

  return {
    async find(movement, rules) {
      const { kind, intentId, termsHash } = movement
      const words = await decisions.findOfMovement({ kind, intentId, termsHash })
      const standing = decisionsOnMovement(words, rules)
      if (standing.decision !== undefined || !(await isApprovedLeg(movement, rules))) return standing
      return { decision: 'approved', missing: 0 }
    },
  }
}

/** The state of these decisions under all rules. Pure. */
export function decisionsOnMovement(words: readonly Decision[], rules: readonly TouchedRule[]): MovementDecisions {
  const standings = rules.map((touched) => decisionStateOf(words, { ...termsOf(touched), requester: UNNAMED }))
  const rejected = standings.find(({ decision }) => decision === 'rejected')?.last
  if (rejected !== undefined)
    return { decision: 'rejected', why: `${rejected.by} said no: ${rejected.because}`, missing: 0 }
  const missing = Math.max(...standings.map(missingIn))
  return missing === 0 ? { decision: 'approved', missing } : { missing }
}

function missingIn({ needed, approvals, decision }: DecisionState): number {
  return decision === 'approved' ? 0 : needed - approvals.length
}

/** Whether this person's approval counts under any of the rules. */
export function countsAsApprover(by: string, rules: readonly TouchedRule[]): boolean {
  return rules.some((touched) => disregardOf(by, { ...termsOf(touched), requester: UNNAMED }) === undefined)
}

function termsOf({ rule, value }: TouchedRule) {
  return { approval: rule, turnover: value }
}

/** An approval of a plan is too weak for the rule, unless its policy counts approvals in a day up to the same sum or less. */
function asCounted(word: Decision, { asPlanned, plan }: RunRecord, { rule, valuationAsset }: TouchedRule): Decision {
  const { twoAbove } = asPlanned.approval ?? {}
  if (rule.twoAbove === undefined) return word
  const isCounted =
    twoAbove !== undefined &&
    plan?.valuationAsset === valuationAsset &&
    parseDecimal(twoAbove, 'twoAbove') <= parseDecimal(rule.twoAbove, 'twoAbove')
  return isCounted ? word : { ...word, secondBecause: 'the policy does not count it' }
}
