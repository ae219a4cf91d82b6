// The frame around every decision: parse the event, call, log one line, and let only errors of
// the closed set out, so that Step Functions always meets a name it knows.
import type * as z from 'zod/mini'
import { Defect, SluiceError } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { logLine } from './log.ts'
import { forgetVersions, withVersion } from './seen-versions.ts'

export type LambdaHandler = (event: unknown) => Promise<unknown>
/** Builds clients and warms them up; called once, while the function initialises. */
export type MakeHandler = (env: NodeJS.ProcessEnv) => LambdaHandler

/** @throws from the handler: an error of the closed set */
export function frameHandler<Schema extends z.ZodMiniType, Output extends { outcome: string }>(
  verb: string,
  schema: Schema,
  decide: (input: z.output<Schema>) => Promise<Output>,
): LambdaHandler {
  return async (event) => {
    forgetVersions()
    try {
      const input = parseWith(schema, event, verb)
      const output = withVersion(await decide(input))
      logLine({ level: 'info', verb, intentId: intentIdOf(event) ?? intentIdOf(output), outcome: output.outcome })
      return output
    } catch (error) {
      const known = error instanceof SluiceError ? error : new Defect(`${verb} broke: ${describeUnknown(error)}`)
      logLine({ level: 'error', verb, intentId: intentIdOf(event), error: known.name, message: known.message })
      throw known
    }
  }
}

const STACK_FRAME = /^ {4}at .+:\d+:\d+\)?$/

/** A bug's name and place, without its message: that may quote what must not be logged, also on lines like a frame's. */
function describeUnknown(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const place = error.stack
    ?.replace(error.message, '')
    .split('\n')
    .find((line) => STACK_FRAME.test(line))
  return `${error.name} ${place?.trim() ?? ''}`.trim()
}

/** The intent, or the execution where a state machine has only that to give. */
function intentIdOf(event: unknown): string | undefined {
  if (event === null || typeof event !== 'object') return undefined
  const { intentId, execution }: { readonly intentId?: unknown; readonly execution?: unknown } = event
  return [intentId, execution].find((id) => typeof id === 'string')
}
