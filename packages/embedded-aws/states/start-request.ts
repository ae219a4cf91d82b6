// The rules of StartExecution: the name, the input and their limits. A machine's name follows the same rules.
// Source: AWS Step Functions API, StartExecution.
import { AwsError } from '../aws-error.ts'
import { Refusal } from '../refusal.ts'
import { PAYLOAD_LIMIT_BYTES } from './json.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: AWS names control characters among those it refuses.
const NOT_IN_NAMES = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f]/

/** Throws AwsError InvalidName. */
export function checkName(name: string): void {
  if (!isName(name)) throw new AwsError('InvalidName', `Invalid Name: '${name}'`)
}

/** Throws Refusal. Source: CreateStateMachine. */
export function checkMachineName(name: string): void {
  if (!isName(name)) {
    throw new Refusal(
      `state machine ${name}`,
      'its name must have 1 to 80 characters, without spaces, brackets or wildcards',
    )
  }
}

function isName(name: string): boolean {
  return name.length >= 1 && name.length <= 80 && !NOT_IN_NAMES.test(name)
}

/** Accepts JSON text within the size limit. Throws InvalidExecutionInput or ValidationException. */
export function checkInput(input: string): void {
  if (Buffer.byteLength(input) > PAYLOAD_LIMIT_BYTES) {
    throw new AwsError('ValidationException', `input is longer than ${PAYLOAD_LIMIT_BYTES} bytes`)
  }
  try {
    JSON.parse(input)
  } catch {
    throw new AwsError('InvalidExecutionInput', 'Invalid State Machine Execution Input: it is not JSON')
  }
}

export function executionArn(machine: { readonly arn: string }, name: string): string {
  return `${machine.arn.replace(':stateMachine:', ':execution:')}:${name}`
}
