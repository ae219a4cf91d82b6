// Starts the runs of the tour, each in a different way, waits until they end, and reads their intents.

import type { EmbeddedAws } from '@sluice/embedded-aws'
import { type JournaledIntent, journaled } from '../../core/audit/tie-out.ts'
import type { Clock } from '../../core/clock.ts'
import { EVENT_BUS, EVENT_VERSION, RequestEvent } from '../../core/contract/events.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { RunEnd, type RunReport, type RunRequest } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { reportOfRun } from '../../core/runs/record/run-record.ts'
import { recordingRequester } from '../../operations/runs/ask-run.ts'
import type { Executions } from '../../operations/runs/follow-execution.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { scanIntents } from '../../place/journal/journal-scan.ts'
import type { RunJournal } from '../../place/journal/run-journal.ts'
import { ARRIVALS, BALANCED, PAYOUT } from './tour-policies.ts'

/** The result of each run, from the journal. The findings name what the tour promised and did not show. */
export interface TourRuns {
  readonly reports: readonly RunReport[]
  readonly findings: readonly string[]
}

/** `by`: the person who started the tour; undefined where this machine does not know its user. */
interface Guest {
  readonly by: string | undefined
  readonly clock: Pick<Clock, 'nowMs'>
}

/** Starts the rebalance by an event that comes twice, and the others as a person does, who is recorded. */
export async function runTourPolicies(aws: EmbeddedAws, { runs }: RunJournal, { by, clock }: Guest): Promise<TourRuns> {
  const asked = by === undefined ? aws : recordingRequester(aws, by, { journal: aws, clock, ownId: undefined })
  const called = await Promise.all([
    start(asked, StateMachine.Sweep, 'tour-payout', { policy: PAYOUT, trigger: { by: 'call' } }),
    start(asked, StateMachine.Rebalance, 'tour-arrivals', { policy: ARRIVALS, trigger: { by: 'deposit', id: 'tour' } }),
  ])
  const balances = await putTwice(aws)
  const executions = [...balances, ...called]
  const reports: RunReport[] = []
  for (const executionArn of executions) {
    const { name } = await aws.untilFinished(executionArn)
    const run = await runs.find(intentIdOf(name))
    if (run !== undefined) reports.push(reportOfRun(run))
  }
  return { reports, findings: findingsOf(reports, balances.length) }
}

type Starting = Pick<Executions, 'startExecution'>

async function start(to: Starting, stateMachine: StateMachine, name: string, request: RunRequest): Promise<string> {
  const { executionArn } = await to.startExecution({ stateMachine, name, input: JSON.stringify(request) })
  return executionArn
}

/** Puts the same event twice. @returns the executions that it started */
async function putTwice(aws: EmbeddedAws): Promise<string[]> {
  const entry = {
    EventBusName: EVENT_BUS,
    Source: 'tour',
    DetailType: RequestEvent.Rebalance,
    Detail: JSON.stringify({ version: EVENT_VERSION, id: 'tour', policy: BALANCED }),
  }
  await aws.putEvents([entry])
  await aws.putEvents([entry])
  await aws.untilDelivered()
  return aws
    .listExecutions(StateMachine.Rebalance)
    .filter(({ input }) => policyIn(input) === BALANCED)
    .map(({ executionArn }) => executionArn)
}

function policyIn(input: string): RunRequest['policy'] {
  const { policy }: RunRequest = JSON.parse(input)
  return policy
}

function findingsOf(reports: readonly RunReport[], balances: number): string[] {
  const policies = [BALANCED, PAYOUT, ARRIVALS]
  return [
    ...(balances === 1 ? [] : [`the event that came twice started ${balances} runs`]),
    ...policies.filter((name) => !reports.some(({ policy }) => policy === name)).map((name) => `"${name}" did not run`),
    ...reports
      .filter(({ outcome }) => outcome !== RunEnd.Settled)
      .map(({ policy, outcome, why }) => `"${policy}" ended ${outcome}: ${why ?? ''}`),
    ...reports.filter(({ tiesOut }) => tiesOut !== true).map(({ policy }) => `"${policy}" does not tie out by itself`),
  ]
}

/** The intents of the journal, in the form that the tie-out compares. Reads only. */
export async function readIntents(aws: EmbeddedAws): Promise<JournaledIntent[]> {
  const table = journalTable(aws)
  try {
    return (await scanIntents(table)).map(journaled)
  } finally {
    table.client.destroy()
  }
}
