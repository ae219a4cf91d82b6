// Makes one line of each event of an execution, for `sluice serve` and `sluice logs`: a start, the result of a state,
// or the end. A line is text for a person, or one JSON object for a program. It says a request in words, and repeats no
// other input or output, because they may be private. It remembers the request of each execution, and is pure
// otherwise.

import { convertRequest } from '../../core/contract/convert.ts'
import { machineOf } from '../../core/contract/deployed-names.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { withdrawRequest } from '../../core/contract/withdraw.ts'
import type { ExecutionLine } from '../../operations/runs/execution-events.ts'
import { inputText } from '../../operations/words/request-words.ts'
import type { ProgressLine } from '../../place/context.ts'
import type { ServedEvent, WatchedEvent } from '../../place/executions/execution-history.ts'
import { convertNarration } from './convert-lines.ts'
import { describeEvent, type Narration } from './event-lines.ts'
import { runNarration } from './run-lines.ts'
import { withdrawNarration } from './withdraw-lines.ts'

type Describe = (event: WatchedEvent) => ProgressLine | undefined

/** `inputOf` gives the input of an execution that an earlier process started. */
export function createServedLines(inputOf: (executionArn: string) => string | undefined) {
  const describers = new Map<string, Describe>()
  return (executionArn: string, event: ServedEvent): ExecutionLine | undefined => {
    const [deployed = '', execution = ''] = executionArn.split(':').slice(-2)
    const stateMachine = machineOf(executionArn) ?? deployed
    const started = event.executionStartedEventDetails
    const line = started ? startedLine(stateMachine, started.input) : lineOf(executionArn, stateMachine, event)
    return line && { stateMachine, execution, ...line }
  }

  function lineOf(executionArn: string, stateMachine: string, event: ServedEvent): ProgressLine | undefined {
    const ended = endedLine(event)
    if (ended !== undefined) {
      describers.delete(executionArn)
      return ended
    }
    const known = describers.get(executionArn)
    if (known !== undefined) return known(event)
    const input = inputOf(executionArn)
    const describe = describerOf(stateMachine, input ?? '')
    if (input !== undefined) describers.set(executionArn, describe)
    return describe(event)
  }
}

function startedLine(stateMachine: string, input: string): ProgressLine {
  return { label: 'started', text: inputText(stateMachine, parse(input)) ?? 'with another input', tone: 'plain' }
}

function endedLine(event: ServedEvent): ProgressLine | undefined {
  const { type, executionSucceededEventDetails: succeeded, executionFailedEventDetails: failed } = event
  if (succeeded !== undefined) {
    const { outcome } = (parse(succeeded.output) ?? {}) as { readonly outcome?: unknown }
    return { label: 'ended', text: typeof outcome === 'string' ? outcome : 'SUCCEEDED', tone: 'plain' }
  }
  if (failed !== undefined) return { label: 'ended', text: `FAILED: ${failed.error ?? 'unknown'}`, tone: 'bad' }
  if (type === 'ExecutionAborted' || type === 'ExecutionTimedOut') {
    return { label: 'ended', text: type === 'ExecutionAborted' ? 'ABORTED' : 'TIMED_OUT', tone: 'bad' }
  }
  return undefined
}

function describerOf(stateMachine: string, input: string): Describe {
  const value = parse(input)
  const by =
    <Request>(request: Request | undefined, narration: Narration<Request>): Describe =>
    (event) =>
      request === undefined ? undefined : describeEvent(event, request, narration)
  if (stateMachine === StateMachine.Convert) return by(convertRequest.safeParse(value).data, convertNarration)
  if (stateMachine === StateMachine.Withdraw) return by(withdrawRequest.safeParse(value).data, withdrawNarration)
  return by<unknown>({}, runNarration)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
