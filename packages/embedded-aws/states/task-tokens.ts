// The tasks that wait for their task tokens (`.waitForTaskToken`). A token is made from its attempt and a secret of the
// execution, so that it is the same after a restart of the process, and nobody can guess it. It counts once.
// Source: AWS Step Functions, "Wait for a callback with the task token".
import { createHmac } from 'node:crypto'
import { AwsError } from '../aws-error.ts'
import { isObject } from '../fields.ts'
import type { FailureDetails } from './history.ts'

/** The report of a token's holder. `output`: JSON text. */
export type TokenAnswer = { readonly output: string } | { readonly failure: FailureDetails }

export interface Waiting {
  /** Writes the answer into the log of the execution. Throws when it has no room for it. */
  answer(given: TokenAnswer): void
  beat(): void
}

export interface TaskTokens {
  tokenOf(enteredId: number, attempt: string): string
  /** Opens a token for answers, until it is closed. */
  open(token: string, waiting: Waiting): void
  close(token: string): void
}

export class ExecutionTokens implements TaskTokens {
  readonly #executionArn: string
  readonly #secret: string
  readonly #waiting = new Map<string, Waiting>()

  constructor(executionArn: string, secret: string) {
    this.#executionArn = executionArn
    this.#secret = secret
  }

  tokenOf(enteredId: number, attempt: string): string {
    const proof = createHmac('sha256', this.#secret).update(`${enteredId} ${attempt}`).digest('base64url')
    return Buffer.from(JSON.stringify([this.#executionArn, proof])).toString('base64url')
  }

  open(token: string, waiting: Waiting): void {
    this.#waiting.set(token, waiting)
  }

  close(token: string): void {
    this.#waiting.delete(token)
  }

  find(token: string): Waiting | undefined {
    return this.#waiting.get(token)
  }
}

/** Returns the execution whose Task has the token. Throws InvalidToken. */
export function executionOfToken(token: string): string {
  const parsed = parsedOf(token)
  if (Array.isArray(parsed) && typeof parsed[0] === 'string' && parsed[0].split(':').length === 8) return parsed[0]
  throw new AwsError('InvalidToken', "Invalid Token: 'Invalid token'")
}

function parsedOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** AWS's refusal of a token that was used, or whose Task has ended. */
export function taskIsOver(): AwsError {
  return new AwsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'")
}

export function passesToken(template: unknown): boolean {
  if (Array.isArray(template)) return template.some(passesToken)
  if (!isObject(template)) return false
  return Object.entries(template).some(
    ([name, value]) =>
      passesToken(value) || (name.endsWith('.$') && typeof value === 'string' && value.includes('$$.Task.Token')),
  )
}
