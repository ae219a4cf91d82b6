// Turns the events of policy runs, and of the executions of their legs, into progress. Legs run at the same time, so each
// line begins with the leg's number in brackets.

import * as z from 'zod/mini'
import type { ConvertRequest } from '../../core/contract/convert.ts'
import { machineOf } from '../../core/contract/deployed-names.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import type { PayeeFacts } from '../../core/contract/payee.ts'
import { type PlanOutput, planOutput, type StartLeg, startLeg } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { type InputOf, intentOf, type Watcher } from '../../operations/runs/execution-events.ts'
import { askText, sendText } from '../../operations/words/request-words.ts'
import type { Progress } from '../../place/context.ts'
import type { WatchedEvent } from '../../place/executions/execution-history.ts'
import { convertNarration } from './convert-lines.ts'
import { reportEvent } from './event-lines.ts'
import { runNarration } from './run-lines.ts'
import { withdrawNarration } from './withdraw-lines.ts'

interface WatchedLeg {
  readonly number: number
  readonly request: StartLeg['request']
  /** The contact that the leg pays, as the plan saw it. Undefined where it pays nobody, or the plan is unknown. */
  readonly payee?: PayeeFacts | undefined
}

interface WatchRunOptions {
  /** Distinguishes runs that are watched at the same time. */
  readonly name?: string
  /** Gives the input of an execution, to find legs that an earlier process started. */
  readonly inputOf?: InputOf
}

/** Watches a run and its legs. The output of the planning states names the legs. */
export function watchRun(
  runId: string,
  progress: Progress,
  { name = '', inputOf = () => undefined }: WatchRunOptions = {},
): Watcher {
  const legs = new Map<string, WatchedLeg>()
  const strangers = new Set<string>()
  const find = (id: string, executionArn: string): WatchedLeg | undefined => {
    const known = legs.get(id)
    if (known !== undefined || strangers.has(id)) return known
    const input = inputOf(executionArn)
    if (input === undefined) return undefined
    const request = legRequest(input, runId)
    if (request === undefined) {
      strangers.add(id)
      return undefined
    }
    const leg = { number: legs.size + 1, request }
    legs.set(id, leg)
    return leg
  }
  return (executionArn, event) => {
    const id = intentOf(executionArn)
    if (id === runId) {
      reportEvent(
        event,
        { request: undefined, narration: runNarration, mark: name === '' ? '' : `${name}: ` },
        progress,
      )
      for (const leg of newLegs(event, legs)) {
        const text = `${markOf(leg, name)}${askedText(leg)}`
        progress.line({ label: 'leg', text, tone: 'plain' })
      }
      return
    }
    const leg = find(id, executionArn)
    if (leg !== undefined) reportLeg(event, leg, progress, markOf(leg, name))
  }
}

/** The request of an execution, if it is a leg of this run. */
function legRequest(input: string, runId: string): StartLeg['request'] | undefined {
  const parsed = startLeg.shape.request.safeParse(JSON.parse(input))
  return parsed.success && parsed.data.run === runId ? parsed.data : undefined
}

function newLegs({ stateExitedEventDetails }: WatchedEvent, legs: Map<string, WatchedLeg>): WatchedLeg[] {
  const planned = plannedIn(stateExitedEventDetails?.output)
  const found = (planned?.legs ?? []).filter(({ name }) => !legs.has(intentIdOf(name)))
  return found.map(({ name, request }) => {
    const payee = planned?.payees?.find(({ contactId }) => 'contactId' in request && contactId === request.contactId)
    const leg = { number: legs.size + 1, request, payee }
    legs.set(intentIdOf(name), leg)
    return leg
  })
}

function plannedIn(output: string | undefined): PlanOutput | undefined {
  if (output === undefined) return undefined
  try {
    return planOutput.safeParse(JSON.parse(output)).data
  } catch {
    return undefined
  }
}

function markOf({ number }: WatchedLeg, name: string): string {
  return name === '' ? `[${number}] ` : `[${name} ${number}] `
}

function reportLeg(event: WatchedEvent, { request }: WatchedLeg, progress: Progress, mark: string): void {
  if (isConversion(request)) reportEvent(event, { request, narration: convertNarration, mark }, progress)
  else reportEvent(event, { request, narration: withdrawNarration, mark }, progress)
}

function askedText({ request, payee }: WatchedLeg): string {
  return isConversion(request) ? askText(request) : sendText(request, payee)
}

function isConversion(request: StartLeg['request']): request is ConvertRequest {
  return 'baseAsset' in request
}

const started = z.object({ policy: z.string() })

export function watchRuns(progress: Progress): Watcher {
  const watchers = new Map<string, Watcher>()
  return (executionArn, event) => {
    const policy = policyIn(executionArn, event.executionStartedEventDetails?.input)
    if (policy !== undefined)
      watchers.set(intentOf(executionArn), watchRun(intentOf(executionArn), progress, { name: policy }))
    for (const watch of watchers.values()) watch(executionArn, event)
  }
}

function policyIn(executionArn: string, input: string | undefined): string | undefined {
  const machine = machineOf(executionArn)
  if (input === undefined || (machine !== StateMachine.Rebalance && machine !== StateMachine.Sweep)) return undefined
  return started.safeParse(JSON.parse(input)).data?.policy
}
