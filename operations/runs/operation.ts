// Describes an operation to a run: its request, its state machine and its result. Each verb has one operation. The
// report of a finished execution is read here; views/runs makes the texts for people.
import type * as z from 'zod/mini'
import { executionEndText } from '../../core/contract/code-names.ts'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import type { StateMachine } from '../../core/contract/states.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { AwsAddress } from '../../place/aws/aws-address.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import type { RunVerb } from '../movements/intent-id.ts'
import type { MovementTest } from './new-directory/movement-test.ts'

/** The fields that every result has. Callers branch on the outcome. */
export interface RunResult {
  readonly outcome: string
  readonly why?: string | undefined
}

/** The part of a DescribeExecution answer that is read here. */
export interface FinishedExecution {
  readonly name: string
  readonly status: string
  readonly output?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

export interface Operation<Request extends object = object, Result extends RunResult = RunResult> {
  readonly verb: RunVerb
  readonly stateMachine: StateMachine
  readonly schema: z.ZodMiniType<Request>
  /**
   * The request for a name in treasury.json. Absent where no name there can be asked for.
   * @throws OperationError (exit 2) for an unknown name
   */
  named?(name: string, treasury: Treasury): Request
  /** Names an operation of this kind in texts. */
  readonly noun: string
  /**
   * The roles whose keys send for such a request. `flags`: absent where the request was checked before.
   * @throws OperationError (exit 2) where the request does not fit the configuration
   */
  keyRoles(request: Request, treasury: Treasury, flags?: ConnectionFlags): readonly KeyRole[]
  /** Tests which movements of the account could belong to this request; undefined where it moves nothing. */
  movesOf(request: Request, treasury: Treasury): MovementTest | undefined
  /** The result of a finished execution. Without a report the outcome is in doubt, and is NEEDS_ATTENTION. */
  resultOf(execution: FinishedExecution, journal: AwsAddress): Result | Promise<Result>
  /** Whether another entry may change the result of an execution that succeeded; absent: never. */
  readonly mayChange?: (execution: FinishedExecution, journal: AwsAddress) => Promise<boolean>
  exitCode(result: Result): ExitCode
}

/** Undefined where the execution ended without a report. */
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
  const ended = `the execution ${executionEndText(status)}${error === undefined ? '' : ` with ${error}`} and without a result`
  return { outcome: 'NEEDS_ATTENTION', intentId: name, why: ended } as const
}
