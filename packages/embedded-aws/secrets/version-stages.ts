// Implements the rules for staging labels on versions, and for moving a label.
// Source: AWS Secrets Manager API Reference, "PutSecretValue" and "UpdateSecretVersionStage".
import { AwsError } from '../aws-error.ts'
import { findText, type RequestBody, textOf } from '../endpoint/request-body.ts'
import { CURRENT, type SecretVersion } from './secret-store.ts'

const MOST_STAGES = 20
const LONGEST_STAGE = 256

/** Returns the VersionStages of a PutSecretValue; AWSCURRENT by default. */
export function stagesOf(body: RequestBody): readonly string[] {
  const stages = body.VersionStages
  if (stages === undefined || stages === null) return [CURRENT]
  const isList = Array.isArray(stages) && stages.every((stage) => typeof stage === 'string' && isStage(stage))
  if (isList && stages.length > 0 && stages.length <= MOST_STAGES) return stages
  throw invalid(`VersionStages must be a list of 1 to ${MOST_STAGES} labels`)
}

export interface StageMove {
  readonly stage: string
  /** Undefined: the label is only removed. */
  readonly to: string | undefined
}

/** Returns the move of an UpdateSecretVersionStage, if the current labels allow it. Throws AwsError. */
export function stageMove(body: RequestBody, versions: readonly SecretVersion[]): StageMove {
  const stage = textOf(body, 'VersionStage')
  const to = findText(body, 'MoveToVersionId')
  const from = findText(body, 'RemoveFromVersionId')
  if (!isStage(stage)) throw invalid(`VersionStage must have 1 to ${LONGEST_STAGE} characters`)
  if (to === undefined && from === undefined) throw invalid('name a version to move the label to, or to remove it from')
  for (const id of [to, from]) requireVersion(versions, id)
  const holder = versions.find((version) => version.stages.includes(stage))?.id
  if (from !== undefined && from !== holder) throw invalid(`${stage} is not attached to version ${from}.`)
  // AWS requires the current holder's version, which makes a move a compare-and-set.
  if (holder !== undefined && holder !== to && from === undefined) {
    throw invalid(`${stage} is attached to version ${holder}: name it to move it.`)
  }
  if (stage === CURRENT && to === undefined) throw invalid(`${CURRENT} can be moved, not removed.`)
  const target = versions.find((version) => version.id === to)
  if (target !== undefined && holder !== to && target.stages.length >= MOST_STAGES) {
    throw new AwsError('LimitExceededException', `a version has at most ${MOST_STAGES} labels`)
  }
  return { stage, to }
}

function requireVersion(versions: readonly SecretVersion[], id: string | undefined): void {
  if (id === undefined || versions.some((version) => version.id === id)) return
  throw new AwsError('ResourceNotFoundException', `Secrets Manager can't find the specified secret version: ${id}.`)
}

function isStage(stage: string): boolean {
  return stage.length > 0 && stage.length <= LONGEST_STAGE
}

function invalid(reason: string): AwsError {
  return new AwsError('InvalidParameterException', reason)
}
