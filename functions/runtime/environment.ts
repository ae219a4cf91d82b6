// Reads a function's environment variables, and the file beside the bundle, as infra sets them. An error names the
// variable and what belongs there, never its value.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { Environment } from '../../core/contract/environment.ts'
import { findJson } from '../../core/contract/find-json.ts'
import { movementSettings } from '../../core/contract/policies.ts'
import { SCHEMA_MESSAGES } from '../../core/contract/schema-messages.ts'
import { headerName, KeyRole, kmsKeyId, type Stage, serviceUrl, stage } from '../../core/contract/service-settings.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { type Timing, timing } from '../../core/contract/timing.ts'
import { Defect } from '../../core/errors.ts'
import { describeIssue } from '../../core/parse.ts'
import type { StateMachineArns } from '../../core/triggers/step-functions.ts'

export type Variables = Readonly<Record<string, string | undefined>>

const movementFields = z.object(movementSettings)
const keyRole = z.enum(KeyRole, 'read, trade or transfer')
/** A value that is not empty. */
export const present = z.string().check(z.minLength(1, 'a value'))
/** Never a path, so that only the deployed file beside the bundle is read. */
const fileName = z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, 'the name of a file beside the bundle'))
/** Variable in which Lambda gives the folder of the unzipped bundle. */
const TASK_ROOT = 'LAMBDA_TASK_ROOT'

export const readJournalTable = (env: Variables): string => readVariable(env, Environment.JournalTable, present)
export const readServiceUrl = (env: Variables): string => readVariable(env, Environment.ServiceUrl, serviceUrl)
export const readStage = (env: Variables): Stage => readVariable(env, Environment.Stage, stage)
export const readKeySecret = (env: Variables): string => readVariable(env, Environment.KeySecret, present)
export const readKeyRole = (env: Variables): KeyRole => readVariable(env, Environment.KeyRole, keyRole)
/** `undefined` where the secret holds a private key. */
export const readKmsKey = (env: Variables): string | undefined =>
  readVariable(env, Environment.KmsKey, z.optional(kmsKeyId))

export const readDecisionKey = (env: Variables): string => readVariable(env, Environment.DecisionKey, kmsKeyId)

export const readRelease = (env: Variables): string => readVariable(env, Environment.Release, present)

export const readTiming = (env: Variables): Timing => readJson(env, Environment.Timing, timing)

/** Whether others write to the account; `undefined` where treasury.json does not say. */
export function readShared(env: Variables): boolean | undefined {
  const shared = readVariable(env, Environment.Shared, z.enum(['true', 'false', 'unknown'], 'true, false or unknown'))
  return shared === 'unknown' ? undefined : shared === 'true'
}

export const readEventBus = (env: Variables): string => readVariable(env, Environment.EventBus, present)
export const readDepositQueue = (env: Variables): string => readVariable(env, Environment.DepositQueue, present)
export const readDeadLetterQueue = (env: Variables): string => readVariable(env, Environment.DeadLetterQueue, present)
export const readWebhookHeader = (env: Variables): string => readVariable(env, Environment.WebhookHeader, headerName)
export const readTopicPrefix = (env: Variables): string => readVariable(env, Environment.TopicPrefix, present)
/** True only at a desk. A deployment does not set the variable. */
export const readIsDesk = (env: Variables): boolean =>
  readVariable(env, Environment.IsDesk, z.optional(z.literal('true', 'true'))) === 'true'
/** ARNs of the state machines that the function may start, or whose events it receives. */
export const readStateMachines = (env: Variables): StateMachineArns =>
  readJson(env, Environment.StateMachines, z.partialRecord(z.enum(StateMachine), present))

/**
 * Guards and policies of the deployed treasury.json. Read once, while the function initialises. A step that moves
 * money needs no other field, and building their shapes takes milliseconds.
 * @throws Defect with the variable or field that is wrong
 */
export const readMovementSettings = (env: Variables) => readBeside(env, movementFields)

/** Reads the file beside the bundle by `schema`. @throws Defect with the variable or field that is wrong */
export function readBeside<Schema extends z.ZodMiniType>(env: Variables, schema: Schema): z.output<Schema> {
  const name = readVariable(env, Environment.TreasuryFile, fileName)
  const folder = readVariable(env, TASK_ROOT, present)
  let text: string
  try {
    text = readFileSync(join(folder, name), 'utf8')
  } catch {
    throw wrongVariable(`${Environment.TreasuryFile}: expected a file that can be read beside the bundle`)
  }
  return parseJson(Environment.TreasuryFile, schema, text)
}

function readJson<Schema extends z.ZodMiniType>(env: Variables, name: string, schema: Schema): z.output<Schema> {
  return parseJson(name, schema, readVariable(env, name, present))
}

function parseJson<Schema extends z.ZodMiniType>(name: string, schema: Schema, text: string): z.output<Schema> {
  const json = findJson(text)
  if (json === undefined) throw wrongVariable(`${name}: expected JSON`)
  return check(name, schema, json)
}

/** @throws Defect with the variable and the expected value, never the actual value. */
export function readVariable<Schema extends z.ZodMiniType>(
  env: Variables,
  name: string,
  schema: Schema,
): z.output<Schema> {
  return check(name, schema, env[name])
}

function check<Schema extends z.ZodMiniType>(name: string, schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, SCHEMA_MESSAGES)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw wrongVariable(issue === undefined ? `${name}: expected another value` : describeIssue(issue, name))
}

function wrongVariable(complaint: string): Defect {
  return new Defect(`environment ${complaint}; deploy again from treasury.json`)
}
