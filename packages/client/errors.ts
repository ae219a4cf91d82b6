// Owns the errors of the client. Each has a literal name and a code, so that a caller can tell them apart without
// `instanceof`. A message never holds a credential or the answer of a service.
import type { Report } from './reports.ts'

export const ErrorCode = {
  InvalidRequest: 'INVALID_REQUEST',
  IdTaken: 'ID_TAKEN',
  NotAllowed: 'NOT_ALLOWED',
  NoDeployment: 'NO_DEPLOYMENT',
  StartUnknown: 'START_UNKNOWN',
  NotYet: 'NOT_YET',
  MovedNothing: 'MOVED_NOTHING',
  MovedInPart: 'MOVED_IN_PART',
  OwnFault: 'OWN_FAULT',
  NeedsPerson: 'NEEDS_PERSON',
} as const
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode]

/** The base of all errors that the client throws. */
export abstract class ClientError extends Error {
  abstract readonly code: ErrorCode
}

/** A field is wrong; nothing was started. Correct the field that it names. */
export class InvalidRequest extends ClientError {
  override readonly name = 'InvalidRequest'
  readonly code = ErrorCode.InvalidRequest
  readonly field: string
  constructor(field: string, expected: string) {
    super(`${field}: expected ${expected}; nothing was started`)
    this.field = field
  }
}

/** The id belongs to another request; this call started nothing. Use the first request, or another id for another movement. */
export class IdTaken extends ClientError {
  override readonly name = 'IdTaken'
  readonly code = ErrorCode.IdTaken
  /** The fields in which the two requests differ. */
  readonly fields: readonly string[]
  constructor(id: string, fields: readonly string[]) {
    super(
      `id ${id} was used for another request, which differs in ${fields.join(', ')}; this call started nothing: use the first request to see its result, or another id for another movement`,
    )
    this.fields = fields
  }
}

/** The SDK's name of the error, which it throws before it asks AWS. */
const NO_CREDENTIALS = 'CredentialsProviderError'

/** AWS refuses the credentials, or they are missing. Grant the permission that it names, or give credentials. */
export class NotAllowed extends ClientError {
  override readonly name = 'NotAllowed'
  readonly code = ErrorCode.NotAllowed
  constructor(call: string, arn: string, reason: string) {
    super(
      reason === NO_CREDENTIALS
        ? `the AWS client found no credentials for states:${call} on ${arn} (${reason}): name a profile or a credentials file, or give them to the AWS client`
        : `AWS refused states:${call} on ${arn} (${reason}): allow it for these credentials, or use others`,
    )
  }
}

/** No such state machine; nothing was started. Check account, region and environment. */
export class NoDeployment extends ClientError {
  override readonly name = 'NoDeployment'
  readonly code = ErrorCode.NoDeployment
  constructor(arn: string) {
    super(`there is no state machine ${arn}: check account, environment, and the region of the AWS client`)
  }
}

/** The start got no answer. Make the same call again: the same id is the same movement. */
export class StartUnknown extends ClientError {
  override readonly name = 'StartUnknown'
  readonly code = ErrorCode.StartUnknown
  constructor(id: string, reason: string) {
    super(
      `Step Functions did not answer for id ${id} (${reason}), so it may have started: make the same call again with the same id`,
    )
  }
}

/** It has not ended. `awaitsApproval` says whether people must approve first. Call `result()` again. */
export class NotYet extends ClientError {
  override readonly name = 'NotYet'
  readonly code = ErrorCode.NotYet
  /** Whether people must approve the plan of the run first. */
  readonly awaitsApproval: boolean
  constructor(id: string, { withinMs, awaitsApproval, reason }: NotYetFacts) {
    const facts = awaitsApproval ? ': its plan waits for approval' : reason === undefined ? '' : ` (${reason})`
    super(
      `${id} has not ended within ${withinMs} ms${facts}; it goes on: call result() again, with this id and no other`,
    )
    this.awaitsApproval = awaitsApproval
  }
}

export interface NotYetFacts {
  readonly withinMs: number
  readonly awaitsApproval: boolean
  /** Name of the last error of Step Functions, where it did not answer. */
  readonly reason: string | undefined
}

abstract class Ended<Found extends Report | undefined> extends ClientError {
  /** The result of the execution. */
  readonly report: Found
  constructor(id: string, meaning: string, report: Found, why = report?.why) {
    super(`${id} ended ${report?.outcome ?? 'without a result'}: ${meaning}${why === undefined ? '' : `; ${why}`}`)
    this.report = report
  }
}

/** It is certain that nothing moved. Read `report.outcome` and `report.why`. */
export class MovedNothing extends Ended<Report> {
  override readonly name = 'MovedNothing'
  readonly code = ErrorCode.MovedNothing
  constructor(id: string, report: Report) {
    super(id, 'nothing moved', report)
  }
}

/** Less moved than was asked for. Read the report, and ask for the rest only. */
export class MovedInPart extends Ended<Report> {
  override readonly name = 'MovedInPart'
  readonly code = ErrorCode.MovedInPart
  constructor(id: string, report: Report) {
    super(id, 'a part moved', report)
  }
}

/** The deployment has a fault. Repair it; then `again()` continues it, if `report.goesOn` is true. */
export class OwnFault extends Ended<Report> {
  override readonly name = 'OwnFault'
  readonly code = ErrorCode.OwnFault
  constructor(id: string, report: Report) {
    super(id, 'a fault of the deployment stopped it; do not use another id', report)
  }
}

/** Money may have moved, and a person must find out (docs/runbook.md). Never use another id. */
export class NeedsPerson extends Ended<Report | undefined> {
  override readonly name = 'NeedsPerson'
  readonly code = ErrorCode.NeedsPerson
  constructor(id: string, report: Report | undefined, why?: string) {
    super(id, 'money may have moved; do not use another id', report, why)
  }
}
