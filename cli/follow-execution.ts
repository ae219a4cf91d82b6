// Brings the execution of one intent to its end, whatever state an earlier run left it in.
// Starts at most one execution an intent: the intent's id is the execution's name.
import type { ConvertRequest } from '../functions/contract/convert.ts'
import type { StateMachine } from '../functions/contract/states.ts'
import { CommandError } from './command-error.ts'
import { differingFields } from './convert-input.ts'
import type { FinishedExecution } from './convert-result.ts'
import { ExitCode } from './exit-code.ts'

export interface KeptExecution extends FinishedExecution {
  readonly executionArn: string
  readonly input: string
}

/** The part of the embedded AWS that is used here. */
export interface Executions {
  findExecution(stateMachine: string, name: string): KeptExecution | undefined
  startExecution(request: { stateMachine: string; name: string; input: string }): Promise<{ executionArn: string }>
  redriveExecution(executionArn: string): Promise<void>
  untilFinished(executionArn: string): Promise<KeptExecution>
}

/** How this run found the execution. */
export type Found = 'new' | 'finished' | 'under way' | 'failed'

export interface FollowRequest {
  readonly stateMachine: StateMachine
  readonly intentId: string
  readonly request: ConvertRequest
  readonly onFound: (found: Found) => void
}

/** @throws CommandError (exit 2) when the id was used for another request. */
export async function followExecution(aws: Executions, options: FollowRequest): Promise<KeptExecution> {
  const { stateMachine, intentId, request, onFound } = options
  const kept = aws.findExecution(stateMachine, intentId)
  if (kept === undefined) {
    onFound('new')
    const input = JSON.stringify(request)
    const { executionArn } = await aws.startExecution({ stateMachine, name: intentId, input })
    return aws.untilFinished(executionArn)
  }
  assertSameRequest(kept, request)
  switch (kept.status) {
    case 'SUCCEEDED':
      onFound('finished')
      return kept
    case 'RUNNING':
      onFound('under way')
      break
    default:
      // Safe to enter again: each step reads the journal before it acts.
      onFound('failed')
      await aws.redriveExecution(kept.executionArn)
  }
  return aws.untilFinished(kept.executionArn)
}

function assertSameRequest(kept: KeptExecution, request: ConvertRequest): void {
  const fields = differingFields(JSON.parse(kept.input), request)
  if (fields.length === 0) return
  throw new CommandError({
    exitCode: ExitCode.Usage,
    code: 'id_in_use',
    message: `--id: this id was used for another conversion; it differs in ${fields.join(', ')}; nothing was sent`,
    next: 'use another --id for another conversion, or the first input to see its result',
  })
}
