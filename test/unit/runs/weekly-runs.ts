// Runs one policy, `weekly`, in a separate world for each test. It enters the runs' steps, and sets the results of
// their legs.
import type { ConvertRequest } from '../../../core/contract/convert.ts'
import type { StartLeg } from '../../../core/contract/runs.ts'
import { decideApproval, type PlanDecision } from '../../../core/runs/approval/decision.ts'
import { planRun } from '../../../core/runs/plan/plan-run.ts'
import { reportOfRun } from '../../../core/runs/record/run-record.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { armed, frozenOf } from '../../helpers/intents.ts'
import { carryOut, planning, quoteOf, type RunWorld, runWorld, START } from '../../helpers/run-world.ts'

export let world: RunWorld
/** Starts over, with another treasury.json if given. */
export function begin(...treasury: Parameters<typeof runWorld>): void {
  world = runWorld(...treasury)
}

export const request = { policy: 'weekly' }
export const input = (execution: string, more: object = {}) => ({ execution, startedAt: START, request, ...more })
export const plan = (execution: string, more: object = {}) => planRun(input(execution, more), planning, world.ports)
export const settle = (execution: string, more: object = {}) =>
  settleRun({ enteredAt: START, ...input(execution, more) }, world.ports)
export const find = (runId: string) => world.ports.runs.find(runId)
export const later = (seconds: number) => {
  world.account.nowMs += seconds * 1000
}

/** The plan of this machine's own step, by the product's planners or by those of the world. */
export const planBy =
  <Answer>(step: (entered: ReturnType<typeof input>, ports: RunWorld['ports']) => Answer) =>
  (execution: string, more: object = {}) =>
    step(input(execution, more), world.ports)

/** Records the person's decision on the waiting plan, or on another one. */
export async function decide(
  decision: PlanDecision['decision'],
  { runId = 'run-1', by = 'ana', planHash }: { runId?: string; by?: string; planHash?: string } = {},
) {
  const waiting = (await find(runId))?.approval?.planHash ?? ''
  const at = new Date(world.account.nowMs).toISOString()
  const word = { decision, planHash: planHash ?? waiting, by, because: 'looked at it', at }
  return decideApproval(runId, word, world.people)
}

/** The policy's record. */
export const memory = (policy = 'weekly') => world.ports.policies.find(policy)

export async function reportOf(runId: string) {
  const run = await find(runId)
  if (run === undefined) throw new TypeError(`there is no run ${runId}`)
  return reportOfRun(run)
}

export async function carryOutAll(legs: Awaited<ReturnType<typeof plan>>['legs']): Promise<void> {
  for (const leg of legs) await carryOut(leg, world, world.ports)
}

/** The leg's intent, READY. */
export function open(leg: StartLeg | undefined) {
  if (leg === undefined) throw new TypeError('there is no leg')
  const { name, request: params } = leg
  const times = { createdAt: START, notAfter: params.notAfter ?? START }
  return world.ports.journal.open({
    intentId: name,
    kind: 'convert',
    params,
    frozen: frozenOf(params as ConvertRequest),
    ...times,
  })
}

/** The leg may have been sent. */
export async function arm(leg: StartLeg | undefined): Promise<void> {
  const intent = await open(leg)
  const terms = quoteOf(world.account, leg?.request as ConvertRequest)
  await world.ports.journal.advance(intent, armed(intent, `order-${intent.intentId}`, terms))
}

/** Both phases, and the settling. */
export async function runWhole(execution: string, more: object = {}) {
  const first = await plan(execution, more)
  await carryOutAll(first.legs)
  const second = await plan(execution, { ...more, phase: 2 })
  await carryOutAll(second.legs)
  return settle(execution, more)
}
