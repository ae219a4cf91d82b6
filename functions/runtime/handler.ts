// The frame around every decision: parse the event, call, and log one line with its metrics. Only errors of the closed
// set leave it, so that Step Functions always receives a name that it knows.
import type * as z from 'zod/mini'
import { executionName, policyName } from '../../core/contract/fields.ts'
import { fieldsOf } from '../../core/contract/find-json.ts'
import { FAULT_METRICS } from '../../core/contract/metrics.ts'
import { BareError, errorText } from '../../core/error-name.ts'
import { Defect, SluiceError } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { measuredOf } from './figures.ts'
import { type LogPlace, logLine, type Measured } from './log.ts'
import { type Observation, ownerOf, serviceNowMs, takeServiceFigures, withObservation } from './observation.ts'
import { forgetVersions, withVersion } from './seen-versions.ts'

/** The fields that are used of Lambda's context of a call. */
export interface CallContext {
  readonly awsRequestId?: string
  readonly invokedFunctionArn?: string
}
export type LambdaHandler = (event: unknown, context?: CallContext) => Promise<unknown>
/** Builds clients and warms them up. Called once, while the function initialises. */
export type MakeHandler = (env: NodeJS.ProcessEnv) => LambdaHandler

/**
 * Wraps `decide` in the frame. `measure`: values of an answer about neither a movement nor a run.
 * @throws from the handler: an error of the closed set
 */
export function frameHandler<Schema extends z.ZodMiniType, Output extends { outcome: string }>(
  verb: string,
  schema: Schema,
  decide: (input: z.output<Schema>, context: CallContext) => Promise<Output>,
  measure: (output: Output) => Measured['values'] = () => ({}),
): LambdaHandler {
  return (event, context) =>
    withObservation(namedIn(event), async (seen) => {
      forgetVersions()
      try {
        const input = parseWith(schema, event, verb)
        const output = withVersion(await decide(input, context ?? {}))
        const place = placeOf({ event, output, seen, context })
        const { values, dimensions } = measuredOf(verb, output, seen, serviceNowMs())
        const measured = {
          values: { ...values, ...keyFaultIn(output), ...measure(output), ...takeServiceFigures() },
          dimensions: { Verb: verb, ...dimensions },
        }
        logLine({ level: 'info', verb, ...place, outcome: output.outcome }, measured)
        for (const { key, intentId, outcome } of legsIn(output))
          logLine({ level: 'info', verb, ...place, intentId, leg: key, outcome })
        return output
      } catch (error) {
        const known = error instanceof SluiceError ? error : new Defect(`${verb} broke: ${describeUnknown(error)}`)
        logFault(verb, known, placeOf({ event, output: undefined, seen, context }))
        throw known
      }
    })
}

/** Counts a fault of the key that did not fail this step: the key's next use may come late. */
function keyFaultIn(output: object): Measured['values'] {
  return fieldsOf(output).keyAtFault === true ? { KeyFaults: 1 } : {}
}

/** Logs an error, and counts it in the metrics of its name. */
export function logFault(verb: string, { message, name }: Error, place: LogPlace): void {
  const counted = Object.fromEntries((FAULT_METRICS[name] ?? []).map((metric) => [metric, 1]))
  const values = { ...counted, ...takeServiceFigures() }
  logLine({ level: 'error', verb, ...place, error: name, message }, { values, dimensions: { Verb: verb } })
}

const STACK_FRAME = /^ {4}at .+:\d+:\d+\)?$/

/**
 * A bug's name, the code of its cause, and its place in the code. Never its message, because that may quote secrets,
 * even on lines that look like a frame's.
 */
function describeUnknown(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const place = error.stack
    ?.replace(error.message, '')
    .split('\n')
    .find((line) => STACK_FRAME.test(line))
  const text = errorText(error)
  const { name: checked } = new BareError(error)
  const name = text === checked ? text : `${checked} (${text})`
  return `${name} ${place?.trim() ?? ''}`.trim()
}

interface LoggedCall {
  readonly event: unknown
  readonly output: unknown
  readonly seen: Observation
  readonly context: CallContext | undefined
}

function placeOf({ event, output, seen, context }: LoggedCall): LogPlace {
  const { intent, run } = seen
  const owner = intent && ownerOf(intent)
  const { attempts } = fieldsOf(output)
  return {
    requestId: idIn({ id: context?.awsRequestId }, 'id'),
    execution: idIn(event, 'execution') ?? idIn(output, 'execution'),
    intentId: namedIn(event) ?? namedIn(output),
    run: run?.runId ?? owner?.run,
    attempt: typeof attempts === 'number' ? attempts : intent?.attemptNumber,
    policy: run?.policy ?? owner?.policy ?? policyName.safeParse(fieldsOf(output).policy).data,
  }
}

/**
 * Returns the name of the intent that an event names, or of its execution where a state machine has nothing else. Text
 * that is no such name is not logged.
 */
function namedIn(value: unknown): string | undefined {
  // A step that sends receives the answer of the step before.
  return idIn(value, 'intentId') ?? idIn(fieldsOf(value).said, 'intentId') ?? idIn(value, 'execution')
}

/** Anybody may write an event, so only a text in the form of an id is logged. */
function idIn(value: unknown, field: string): string | undefined {
  return executionName.safeParse(fieldsOf(value)[field]).data
}

/** Legs of a settled run, with the intent and the outcome of each. */
function legsIn(
  output: unknown,
): readonly { readonly key: string; readonly intentId: string; readonly outcome: string }[] {
  const { legs } = fieldsOf(output)
  return Array.isArray(legs) ? legs.filter((leg) => typeof fieldsOf(leg).key === 'string') : []
}
