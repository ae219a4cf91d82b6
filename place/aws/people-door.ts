// Calls the deployed functions that people reach by a function URL. It makes two signatures with the caller's own AWS
// credentials: one lets the request in, and the other (sign-request.ts) proves who asks. The SDK's own client finds the
// address and signs.

import { GetFunctionUrlConfigCommand, LambdaClient } from '@aws-sdk/client-lambda'
import * as z from 'zod/mini'
import { findJson } from '../../core/contract/find-json.ts'
import {
  type AskMovementRequest,
  askMovementAnswer,
  asksAnswer,
  type DecideRequest,
  type DeclareForeignRequest,
  decideAnswer,
  declareForeignAnswer,
  type HaltRequest,
  haltAnswer,
  type ReleaseRequest,
  type RequestRunRequest,
  type ResolveRequest,
  type ResumeRequest,
  refusal,
  releaseAnswer,
  requestRunAnswer,
  resolveAnswer,
  resumeAnswer,
} from '../../core/contract/people.ts'
import { bareCause, errorName, errorText } from '../../core/error-name.ts'
import { Refused, Transient } from '../../core/errors.ts'
import { ExitCode } from '../exit-code.ts'
import { advice, DEPLOY } from '../next-step.ts'
import { failedWith, OperationError } from '../operation-error.ts'
import { accessFailure } from './aws-access.ts'
import { type AwsAddress, clientConfigAt, nameAt } from './aws-address.ts'
import { signRequest } from './sign-request.ts'
import { withClient } from './with-client.ts'

const REQUEST_RUN = 'sluice-request-run'
const DECIDE = 'sluice-decide'
const THROW_SWITCH = 'sluice-throw-switch'
const RESUME = 'sluice-resume'
const RESOLVE = 'sluice-resolve'
const DECLARE_FOREIGN = 'sluice-declare-foreign'
const RELEASE = 'sluice-release'

/**
 * A function of ours may take a minute, and those for doubts two, because they read the service. Ten seconds more are
 * for the network.
 */
const LONGEST_MS = 70_000
const LONGEST_OF_DOUBTS_MS = 130_000
const MOST_ANSWER_CHARS = 100_000

/** Nobody knows whether the function did what was asked. */
export class Unanswered extends OperationError {}

/**
 * Each call throws Transient, OperationError (exit 1) where the function cannot be called, and Refused with the reason;
 * switches throw OperationError for a refusal.
 */
export function peopleDoor(address: AwsAddress) {
  const switched = <Answer extends z.ZodMiniType>(named: string, request: object, schema: Answer) =>
    ask(address, named, request, schema).catch(refusedBy(nameAt(address, named)))
  return {
    /** Records who asks, and starts the run. */
    requestRun: (request: RequestRunRequest) => ask(address, REQUEST_RUN, request, requestRunAnswer),
    /** Records who asks for a conversion or a withdrawal, and starts nothing. */
    askMovement: (request: AskMovementRequest) => ask(address, REQUEST_RUN, request, askMovementAnswer),
    decide: (request: DecideRequest) => ask(address, DECIDE, request, decideAnswer),
    throwSwitch: (request: HaltRequest) => switched(THROW_SWITCH, request, haltAnswer),
    resume: (request: ResumeRequest) => switched(RESUME, request, resumeAnswer),
    /** Asks back, and records nothing, until the person has agreed to its question. */
    resolve: (request: ResolveRequest) =>
      ask(address, RESOLVE, request, z.union([resolveAnswer, asksAnswer]), LONGEST_OF_DOUBTS_MS),
    /** Asks back first, as resolve does. */
    declareForeign: (request: DeclareForeignRequest) =>
      ask(address, DECLARE_FOREIGN, request, z.union([declareForeignAnswer, asksAnswer]), LONGEST_OF_DOUBTS_MS),
    /** Asks back first, as resolve does. */
    release: (request: ReleaseRequest) => ask(address, RELEASE, request, z.union([releaseAnswer, asksAnswer])),
  }
}

export type PeopleDoor = ReturnType<typeof peopleDoor>

const refusedBy = (functionName: string) => (error: unknown) => {
  if (!(error instanceof Refused)) throw error
  const message = `${functionName} refused it: ${error.message}`
  const next = 'correct it, then run the same command again'
  throw failedWith('refused', message, next, error)
}

async function ask<Answer extends z.ZodMiniType>(
  address: AwsAddress,
  named: string,
  request: object,
  schema: Answer,
  longestMs = LONGEST_MS,
): Promise<z.output<Answer>> {
  const functionName = nameAt(address, named)
  return withClient(new LambdaClient(clientConfigAt(address)), async (client) => {
    const { arn, url } = await addressOf(functionName, client)
    // The client knows AWS's time now.
    const { systemClockOffset } = client.config
    const signedWord = await signRequest(arn, JSON.stringify(request), {
      ...clientConfigAt(address),
      systemClockOffset,
    })
    const signed = await signedPost(url, JSON.stringify(signedWord), client)
    const response = await fetch(url, { ...signed, signal: AbortSignal.timeout(longestMs), redirect: 'error' }).catch(
      (error: unknown) => {
        const message = `${functionName} did not answer (${errorText(error)}), and nobody knows whether it recorded the request`
        throw new Transient(message, bareCause(error))
      },
    )
    return answerOf(functionName, response, schema)
  })
}

async function addressOf(
  functionName: string,
  client: LambdaClient,
): Promise<{ readonly arn: string; readonly url: URL }> {
  try {
    const command = new GetFunctionUrlConfigCommand({ FunctionName: functionName })
    const { FunctionArn: arn = '', FunctionUrl = '' } = await client.send(command)
    return { arn, url: new URL(FunctionUrl) }
  } catch (error) {
    const name = errorName(error)
    if (name === 'ResourceNotFoundException') throw notDeployed(functionName, error)
    if (name === 'AccessDeniedException') throw notPermitted(functionName, error)
    throw accessFailure(error, `${functionName} was not called, and nothing was recorded`) ?? error
  }
}

/** Signed by the client's own signer, for its own service. */
async function signedPost(url: URL, body: string, client: LambdaClient) {
  const signer = await client.config.signer()
  const { headers } = await signer.sign(
    {
      ...{ method: 'POST', protocol: url.protocol, hostname: url.hostname, path: url.pathname, query: {}, body },
      ...(url.port !== '' && { port: Number(url.port) }),
      headers: { host: url.host, 'content-type': 'application/json' },
    },
    { signingDate: new Date(Date.now() + client.config.systemClockOffset) },
  )
  const { host: _host, ...sent } = headers
  return { method: 'POST', headers: sent, body }
}

async function answerOf<Answer extends z.ZodMiniType>(
  functionName: string,
  response: Response,
  schema: Answer,
): Promise<z.output<Answer>> {
  const text = await response.text().catch(() => '')
  const body = text.length > MOST_ANSWER_CHARS ? undefined : findJson(text)
  if (response.status === 403) throw notPermitted(functionName, undefined)
  const { message } = refusal.safeParse(body).data ?? {}
  if (response.status === 400 && message !== undefined) throw new Refused(message)
  if (response.status === 503 && message !== undefined) throw new Transient(message)
  const answer = response.status === 200 ? schema.safeParse(body) : undefined
  if (answer?.success === true) return answer.data
  if (response.status === 500 && message !== undefined) {
    const next = 'correct it, then run the same command again'
    throw failedWith('unreachable', `${functionName}: ${message}`, next)
  }
  throw new Unanswered({
    exitCode: ExitCode.Failed,
    code: 'unreachable',
    message: `${functionName} answered ${response.status}; whether it recorded the request is not known`,
    next: `look at its log, /aws/lambda/${functionName}; then run the same command again`,
  })
}

function notDeployed(functionName: string, cause: unknown): OperationError {
  const message = `there is no function ${functionName} with an address in this AWS account and region; nothing was recorded`
  const next = advice`check AWS_PROFILE and AWS_REGION, or deploy: ${DEPLOY}`
  return failedWith('unreachable', message, next, cause)
}

function notPermitted(functionName: string, cause: unknown): OperationError {
  const message = `these AWS credentials may not call ${functionName}; nothing was recorded`
  const next = 'use those of a role that may (docs/runbook.md, "Who may halt and approve")'
  return failedWith('unreachable', message, next, cause)
}
