// Builds the event that Step Functions puts on the account's default bus when an execution ends.
// Source: AWS Step Functions Developer Guide, "Automating event delivery with EventBridge".
import type { ExecutionDescription } from '../states/execution-description.ts'
import { DEFAULT_BUS, type Entry } from './put-events.ts'

/**
 * Maximum bytes of input and output together, escaped as in the event. Above it the input is left out, and an output
 * that alone is larger.
 */
const MOST_DATA_BYTES = 248 * 1024

export function statusChange(execution: ExecutionDescription): Entry {
  const { input, output } = execution
  const outputBytes = output === undefined ? 0 : escapedBytes(output)
  const hasOutput = outputBytes <= MOST_DATA_BYTES
  const hasInput = escapedBytes(input) + (hasOutput ? outputBytes : 0) <= MOST_DATA_BYTES
  return {
    source: 'aws.states',
    detailType: 'Step Functions Execution Status Change',
    bus: DEFAULT_BUS,
    resources: [execution.executionArn],
    timeMs: execution.stopDate?.getTime(),
    detail: {
      executionArn: execution.executionArn,
      stateMachineArn: execution.stateMachineArn,
      stateMachineVersionArn: null,
      stateMachineAliasArn: null,
      name: execution.name,
      status: execution.status,
      startDate: execution.startDate.getTime(),
      stopDate: execution.stopDate?.getTime() ?? null,
      input: hasInput ? input : null,
      inputDetails: { included: hasInput },
      output: hasOutput ? (output ?? null) : null,
      outputDetails: output === undefined ? null : { included: hasOutput },
      error: execution.error ?? null,
      cause: execution.cause ?? null,
      redriveCount: execution.redriveCount,
      redriveDate: execution.redriveDate?.getTime() ?? null,
    },
  }
}

function escapedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
