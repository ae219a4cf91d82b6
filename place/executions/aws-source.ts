// Reads the executions of AWS, or of a desk of another process, with their inputs and steps. Writes nothing. AWS keeps
// executions for 90 days.
import { SFNClient } from '@aws-sdk/client-sfn'
import { type AwsAddress, clientConfigAt } from '../aws/aws-address.ts'
import { awsExecutions, PATIENT } from './aws-executions.ts'
import { type ExecutionSource, parsed } from './execution-source.ts'
import { walkExecutions } from './listed-executions.ts'

/** The caller destroys it. */
export function awsSource(address: AwsAddress): ExecutionSource & { destroy(): void } {
  const client = new SFNClient({ ...clientConfigAt(address), ...PATIENT })
  const executions = awsExecutions(address, { isPatient: true })
  return {
    async *walk(stateMachine) {
      yield* walkExecutions(client, await executions.arnOf(stateMachine))
    },
    async read(stateMachine, name) {
      const found = await executions.read(stateMachine, name)
      if (found?.isCutOff === true) return `the history of ${name} has more pages than are read`
      return found && { ...found, input: parsed(found.input) }
    },
    destroy() {
      client.destroy()
      executions.destroy()
    },
  }
}
