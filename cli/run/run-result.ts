// Reads the result of a run off its finished execution: the output, or for an end that raises an
// alarm the cause.
import type * as z from 'zod/mini'
import type { FinishedExecution, RunResult } from './operation.ts'

/** `undefined` where the execution ended without a report. */
export function reportIn<Schema extends z.ZodMiniType>(
  { status, output, cause }: FinishedExecution,
  schema: Schema,
): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse((status === 'SUCCEEDED' ? output : cause) ?? '')).data
  } catch {
    return undefined
  }
}

export function withoutReport({ name, status, error }: FinishedExecution) {
  const ended = `the execution ended ${status}${error === undefined ? '' : ` with ${error}`} and without a result`
  return { outcome: 'NEEDS_ATTENTION', intentId: name, why: ended } as const
}

/**
 * The same fields without those that have no value; the order is that of the literal. The type
 * system cannot follow fields through a list of entries, so the parameter's type vouches for them.
 */
export function present<Result extends RunResult>(
  fields: { [name in keyof Result]: Result[name] | undefined },
): Result {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as Result
}
