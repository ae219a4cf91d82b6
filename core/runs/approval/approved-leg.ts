// Checks whether what a run sends is what people approved. Several functions write a run's record, but none of them writes
// people's decisions: so the record is compared with those. The steps that settle the terms of a send use it, and so do the
// audit, `journal verify` and `proof make`. It writes nothing.

import { foldId } from '../../contract/payouts.ts'
import type { PlanLeg } from '../../contract/plan.ts'
import { INLINE } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import type { Approval } from '../../contract/runs.ts'
import type { Treasury } from '../../contract/treasury.ts'
import { Defect, Refused } from '../../errors.ts'
import type { ApprovedLegSource } from '../../guards/policy-terms.ts'
import { type Intent, isConversion, isOpened } from '../../journal/intent.ts'
import { hasParams } from '../../journal/journal.ts'
import { createPolicyNames, findPresentName } from '../../journal/policy-names.ts'
import type { RecordStore } from '../../journal/record-store.ts'
import { parseDecimal } from '../../money/decimal.ts'
import { findContactChange } from '../../movements/withdrawal/payee.ts'
import { hashParams } from '../../params-hash.ts'
import { hashPolicy } from '../../planning/plan-hash.ts'
import { paymentsOf, withRows } from '../../policies/kinds.ts'
import { differenceOf, idOfOnce } from '../plan/payments.ts'
import { findRequestedPolicy } from '../record/request.ts'
import { frozenLegs, legIntentId, legOf, legRequest, type RunRecord, runOfRecord } from '../record/run-record.ts'
import { requestHashOf } from '../record/runs.ts'
import { recordedPlanHash } from './ask.ts'
import { type DecisionReaders, decisionsOnRun } from './decision.ts'
import { createDecisionReader, type Decisions } from './decisions.ts'
import { createRequesterReader, type RecordedRequester } from './requesters.ts'
import type { DecisionVerifier } from './signed-decision.ts'
import type { Decision } from './standing.ts'

/** People's decisions on the plan with this hash, and the recorded requester of the run. */
interface RecordedDecisions {
  readonly words: readonly Decision[]
  readonly recorded: RecordedRequester | undefined
}

/**
 * One sentence where the run's record differs from what people approved. `words`: the decisions on the recorded plan. Pure.
 */
export function findUnapproved(run: RunRecord, { words, recorded }: RecordedDecisions): string | undefined {
  if (run.approval === undefined) return isUnasked(run) ? 'people were not asked, and its policy wants it' : undefined
  const { decision } = decisionsOnRun(run, words, recorded)
  if (decision !== 'approved')
    return 'people have not approved its plan, its policy and its guards as they are recorded'
  if (Date.parse(run.notAfter) > latestOf(run, run.approval)) return 'its time is longer than was approved'
  return run.plan?.policy === run.policy ? undefined : 'its policy is not that of its plan'
}

/** Whether the turnover alone needs an approval. What went unasked before counts too, and the run's record does not have it. */
function isUnasked({ asPlanned: { approval }, plan }: RunRecord): boolean {
  if (approval === undefined || plan === undefined) return false
  return parseDecimal(plan.turnover, 'turnover') > parseDecimal(approval.above, 'approval.above')
}

/** Epoch ms: the latest end of a run's time that an approval of its plan allows. */
export function latestOf({ asPlanned }: RunRecord, { expiresAt }: Approval): number {
  return Date.parse(expiresAt) + asPlanned.runLifeSeconds * 1000
}

/** One sentence where one leg of an approved run differs from what people approved. Pure. */
export function findUnapprovedLeg(run: RunRecord, intentId: string): string | undefined {
  const { runId, plan } = run
  const frozen = frozenLegs(run).find((each) => each.intentId === intentId)
  const approved = plan?.legs.find(({ key }) => key === frozen?.key)
  if (frozen === undefined || approved === undefined) return 'it is no leg of the plan that was approved'
  // Under another id, the same leg would move twice.
  if (legIntentId(runId, approved) !== intentId) return `the intent of its leg ${frozen.key} is another`
  // A leg of the first phase is never planned again.
  const isFirst = plan?.legs.every(({ phase }) => phase >= approved.phase) ?? true
  const field = frozen.leg && findDifference(frozen.leg, approved, isFirst ? NOTHING : MAY_DIFFER)
  return field && `its leg ${frozen.key} is not as it was approved: its ${field}`
}

/** A leg of a later phase was planned again: it may move less, at a later price, and must be the same otherwise. */
function findDifference(leg: PlanLeg, approved: PlanLeg, mayDiffer: ReadonlySet<string>): string | undefined {
  if (leg.kind !== approved.kind) return 'kind'
  const most = approved.kind === IntentKind.Withdraw ? approved.request.most : approved.request.amount
  if (parseDecimal(leg.request.amount, 'amount') > parseDecimal(most ?? '0', 'most')) return 'amount'
  const fields = new Set([...Object.keys(leg.request), ...Object.keys(approved.request)])
  const hashIn = ({ request }: PlanLeg, field: string) =>
    hashParams((request as Record<string, unknown>)[field] ?? null)
  return [...fields].find((field) => !mayDiffer.has(field) && hashIn(leg, field) !== hashIn(approved, field))
}

const MAY_DIFFER: ReadonlySet<string> = new Set(['amount', 'plannedRate'])
const NOTHING: ReadonlySet<string> = new Set()

/** `policies`: of the deployed treasury.json. */
export function createApprovedLegs(store: RecordStore, policies: Policies, key: DecisionVerifier): ApprovedLegSource {
  const readers = readersOf(store, key)
  const namesOf = createPolicyNames(store, policies)
  return async (record, intentId) => {
    const run = runOfRecord(record)
    const { policy, request, runId } = run
    const fault = await findWhy(run, intentId, readers)
    if (fault !== undefined)
      throw new Defect(`the record of run ${runId} was changed, and nothing goes on from it: ${fault}`)
    // A policy that came whole, and was one of the file, must be that one still.
    if (typeof request.policy !== 'string' && !isInline(policy)) {
      const { name } = findRequestedPolicy(request, { policies }) ?? {}
      if (name !== (await findPresentName(policy, policies, namesOf)))
        throw new Refused(
          `input.policy: ${policy} of treasury.json is not the policy with which the run was asked for; ask for another run`,
        )
    }
    return run.approval && (run.plan?.legs.find((leg) => legIntentId(runId, leg) === intentId) ?? {})
  }
}

function isInline(policy: string): boolean {
  return policy.startsWith(INLINE)
}

/** One sentence where the intent is not the leg of its run that people approved. @throws Transient, Defect */
export async function findWhyUnapproved(run: RunRecord, intent: Intent, readers: Readers): Promise<string | undefined> {
  const fault = await findWhy(run, intent.intentId, readers)
  return fault ?? (run.approval && (findOtherRequest(run, intent) ?? findOtherPayee(run, intent)))
}

function findOtherRequest(run: RunRecord, intent: Intent): string | undefined {
  const frozen = frozenLegs(run).find(({ intentId }) => intentId === intent.intentId)
  const isOfLeg = frozen !== undefined && hasParams(intent, legRequest(run, legOf(run, frozen)))
  return isOfLeg ? undefined : 'its request is not that of its leg'
}

/** One sentence where a withdrawal of an approved run goes to another destination than people saw. Pure. */
export function findOtherPayee(run: RunRecord, intent: Intent): string | undefined {
  const approved = run.approval && run.plan?.legs.find((leg) => legIntentId(run.runId, leg) === intent.intentId)
  const seen = approved?.kind === IntentKind.Withdraw ? approved.payee : undefined
  if (seen === undefined || isConversion(intent) || !isOpened(intent)) return undefined
  return findContactChange(seen, intent.frozen.payee, 'it was approved')?.why
}

export type Readers = DecisionReaders & { readonly decisions: Pick<Decisions, 'hasAny'> }

export function readersOf(store: RecordStore, key: DecisionVerifier): Readers {
  return { decisions: createDecisionReader(store, key), requesters: createRequesterReader(store) }
}

type Policies = Treasury['policies']

async function findWhy(
  run: RunRecord,
  intentId: string,
  { decisions, requesters }: Readers,
): Promise<string | undefined> {
  const recorded = await requesters.find(run.runId)
  const otherwise = recorded && findNotAsked(run, recorded)
  if (otherwise !== undefined) return otherwise
  const noRow = findNoRow(run, intentId)
  if (noRow !== undefined) return noRow
  if (run.approval === undefined)
    return (await decisions.hasAny(run.runId)) ? 'it says that nobody was asked, and people were' : undefined
  const planHash = recordedPlanHash(run)
  const words = planHash === undefined ? [] : await decisions.find(run.runId, planHash)
  return findUnapproved(run, { words, recorded }) ?? findUnapprovedLeg(run, intentId)
}

/** One sentence where the record has another request or another policy than was asked for before the run started. Pure. */
function findNotAsked({ asPlanned, policy, request }: RunRecord, recorded: RecordedRequester): string | undefined {
  if (requestHashOf(request) !== recorded.requestHash) return 'its request is not the one that was recorded'
  const { policy: asked } = request
  const isWhole = typeof asked !== 'string'
  // Whether a whole policy was one of the file, only the file of that time says.
  if (isWhole && !isInline(policy)) return undefined
  const name = isWhole ? findRequestedPolicy(request, { policies: {} })?.name : asked
  const isAsked = name === policy && (!isWhole || hashPolicy(asPlanned) === hashPolicy(asked))
  return isAsked ? undefined : 'its policy is not the one that was asked for'
}

/** One sentence where a withdrawal of a run with rows is not, under its own id, a payment of one of them. Pure. */
function findNoRow(run: RunRecord, intentId: string): string | undefined {
  const { request, asPlanned, runId } = run
  const frozen = request.rows && frozenLegs(run).find((each) => each.intentId === intentId)
  const leg = frozen && legOf(run, frozen)
  if (leg?.kind !== IntentKind.Withdraw) return undefined
  const id = leg.once === undefined ? undefined : idOfOnce(leg.once)
  const payment = paymentsOf(withRows(asPlanned, request.rows)).find((row) => foldId(row.id) === id)
  if (payment === undefined) return `its leg ${leg.key} pays no row of its request`
  if (legIntentId(runId, leg) !== intentId) return `the intent of its leg ${leg.key} is another`
  const difference = differenceOf(payment, { params: leg.request })
  return difference && `its leg ${leg.key} is not as its row: ${difference}`
}
