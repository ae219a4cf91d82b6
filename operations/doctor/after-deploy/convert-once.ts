// Converts once on the deployed machine, with the same code as `run convert` on AWS. The id holds the time of the
// request. A command that ends before its conversion says how to find it, and never says that nothing moved.

import type { ConvertRequest } from '../../../core/contract/convert.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import type { OperationContext, Progress } from '../../../place/context.ts'
import { withWhatMoved } from '../../../place/desk/what-moved.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { advice, type Step } from '../../../place/next-step.ts'
import { OperationError } from '../../../place/operation-error.ts'
import { findPlace } from '../../../place/place.ts'
import { idMadeOf } from '../../movements/intent-id.ts'
import type { Watch } from '../../runs/execution-events.ts'
import { type ConvertResult, conversion } from '../../runs/movement-operations.ts'
import { runToEnd } from '../../runs/run-to-end.ts'
import { type Check, fail, ok } from '../check.ts'
import { CONVERSION } from './least-conversion.ts'

export interface Converted {
  readonly check: Check
  readonly exitCode: ExitCode
  readonly result: ConvertResult
  readonly intentId: string
}

interface Asked {
  readonly request: ConvertRequest
  /** The deployed configuration. */
  readonly treasury: Treasury
  /** The configuration file that was named. */
  readonly config: string | undefined
  readonly telling: ConversionWords
}

/** How the caller describes the conversion, during it and afterwards. */
export interface ConversionWords {
  readonly progress: Progress
  readonly watch: Watch<ConvertRequest>
  ask(request: ConvertRequest): string
  describe(result: ConvertResult, request: ConvertRequest): string
}

/** `verify-20260131T090000123Z`. It has milliseconds, so that two verifications within one second get different ids. */
export function verifyId(nowMs: number): string {
  return `verify-${new Date(nowMs).toISOString().replace(/[.:-]/g, '')}`
}

/** @throws OperationError with exit 3 where the conversion was begun and its result is not known */
export async function convertOnce(
  { request, treasury, config, telling }: Asked,
  context: OperationContext,
): Promise<Converted> {
  const { clock } = context
  const { progress, watch, ask, describe } = telling
  const flags = { aws: true, ...(config !== undefined && { config }) } as const
  const runId = verifyId(clock.nowMs())
  const intentId = idMadeOf(conversion.verb, runId)
  const again = { do: 'run', verb: 'convert', input: request, id: runId, at: flags } as const
  const look = { do: 'show-movement', id: runId, at: flags } as const
  const place = findPlace(flags, context)
  const asked = { request, intentId, ownId: runId, requester: undefined }
  const run = { ...asked, operation: conversion, watch, place, treasury, service: undefined, again }
  const text = `${ask(request)}, id ${runId}, intent ${intentId}`
  progress.line({ label: conversion.verb, text, tone: 'plain' })
  try {
    const result = await runToEnd(run, progress)
    const exitCode = conversion.exitCode(result)
    const detail = `${result.outcome}: ${describe(result, request)}; id ${runId}, intent ${intentId}`
    const check = exitCode === ExitCode.Done ? ok(CONVERSION, detail) : fail(CONVERSION, detail, look)
    return { check, exitCode, result, intentId }
  } catch (error) {
    throw lookAfter(await withWhatMoved(error, { intentId, flags, again }, context), { intentId, look, again })
  } finally {
    progress.end()
  }
}

interface Lookable {
  readonly intentId: string
  /** Shows its result. */
  readonly look: Step
  /** Follows it to its end. */
  readonly again: Step
}

/**
 * Another verification would be another conversion. So a conversion whose end nobody saw is named, with the step that
 * shows it.
 */
function lookAfter(failure: OperationError, { again, intentId, look }: Lookable): OperationError {
  if (failure.exitCode !== ExitCode.NeedsPerson && failure.exitCode !== ExitCode.Interrupted) return failure
  const { code, text } = failure
  const next = advice`do not verify by a conversion again before this one is known: ${look}; or follow it to its end: ${again}`
  return new OperationError(
    { exitCode: ExitCode.NeedsPerson, code, message: advice`${text}; it is intent ${intentId}`, next },
    { cause: failure },
  )
}
