// Makes the inputs of the test in a real account: two configurations of one environment, a key file and a conversion.
// It refuses whatever could touch a deployment in use.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { type ConvertRequest, convertRequest } from '../../core/contract/convert.ts'
import {
  backupVault,
  decisionKeyAlias,
  deployedName,
  functionName,
  HOME_ROLE,
} from '../../core/contract/deployed-names.ts'
import { partitionOf } from '../../core/contract/partition.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { Stage } from '../../core/contract/service-settings.ts'
import { StateMachine, Verb } from '../../core/contract/states.ts'
import { keySecretsOf, type Treasury } from '../../core/contract/treasury.ts'
import { loadTreasury } from '../../core/treasury/config.ts'
import { decodeText } from '../../core/treasury/decode-text.ts'

/** Prefix of this test's environments. No other deployment should have it. */
export const TEST_PREFIX = 'it-'

/** The guard that the update changes. */
export const CHANGED_GUARD = 'guards.worstSlippageBps'
/** Wide enough to refuse nothing. */
const WIDE_SLIPPAGE_BPS = 9_000

export interface Setup {
  readonly treasury: Treasury
  readonly place: { readonly account: string; readonly region: string }
  readonly environment: string
  readonly files: Files
  readonly request: ConvertRequest
  readonly names: Names
  /**
   * When this test began, as YYYYMMDDTHHMMSS (UTC). Its ids follow from it, so that a repeated step uses the same ids.
   */
  readonly began: string
}

export interface Files {
  readonly first: string
  readonly updated: string
  /** The first configuration, which also lets the role of this test deploy. */
  readonly ownRole: string
  readonly keys: string
  readonly request: string
}

export interface Names {
  readonly table: string
  readonly homeRole: string
  readonly stateStack: string
  readonly secrets: readonly string[]
  readonly convertMachineArn: string
  readonly tableArn: string
  readonly auditFunction: string
  /** Rings for a fault of Sluice's own. */
  readonly alarm: string
  readonly decisionAlias: string
  /** In this region and in the other, and also the name of the plan. */
  readonly vault: string
  readonly otherRegion: string
  readonly restored: string
  readonly testRole: string
  readonly testRoleArn: string
}

export interface Given {
  readonly config: string
  readonly keys: string
  readonly input: string
  readonly began: string
  /** Folder of the updated configuration. */
  readonly folder: string
}

/** A set-up that must not be tested. `message` has a line for each fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** @throws Refusal, ConfigError */
export function readSetup({ began, config, folder, input, keys }: Given): Setup {
  const treasury = loadTreasury(config)
  const { aws, environment } = treasury
  const faults = faultsOf(treasury)
  if (!BEGAN.test(began)) faults.push(`--began: expected a time such as 20260131T090000; got ${began}`)
  if (aws === undefined || environment === undefined || faults.length > 0) throw new Refusal(faults.join('\n'))
  const inFolder = (name: string) => path.join(folder, `${name}-treasury.json`)
  const files = { first: config, updated: inFolder('updated'), ownRole: inFolder('own-role'), keys, request: input }
  const names = namesOf(treasury, environment, aws)
  mkdirSync(folder, { recursive: true })
  const text = decodeText(readFileSync(config))
  writeFileSync(files.updated, updatedText(text, treasury))
  const deployRoles = [...(aws.deployRoles ?? []), names.testRoleArn]
  writeFileSync(files.ownRole, JSON.stringify({ ...JSON.parse(text), aws: { ...JSON.parse(text).aws, deployRoles } }))
  return { treasury, environment, files, began, place: aws, request: readRequest(input), names }
}

function faultsOf({ aws, environment, policies, service }: Treasury): string[] {
  const secrets = keySecretsOf(service)
  const foreign = secrets.filter((name) => environment === undefined || !name.startsWith(`${environment}-`))
  const moving = Object.entries(policies).filter(([, { mode }]) => mode !== 'shadow')
  return [
    ...(environment?.startsWith(TEST_PREFIX)
      ? []
      : [`environment: expected a name that begins with "${TEST_PREFIX}"; got ${environment ?? 'none'}`]),
    ...(aws === undefined ? ['aws: expected account and region, so that nothing else is touched; got none'] : []),
    ...(service.stage === Stage.Test ? [] : [`service.stage: expected test; got ${service.stage}`]),
    ...foreign.map((name) => `service: expected secrets whose names begin with "${environment}-"; got ${name}`),
    ...moving.map(([name]) => `policies.${name}.mode: expected shadow, as only the test moves anything`),
  ]
}

/** For the copy of a backup. */
const OTHER_REGIONS = ['eu-central-1', 'eu-west-1'] as const

const BEGAN = /^\d{8}T\d{6}$/

/** `2026-01-31T09:00:00.000Z` → `20260131T090000`. */
export function beganText(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
}

/** A minute earlier, as ISO-8601, because the service's clock may be behind. */
export function sinceTime({ began }: Pick<Setup, 'began'>): string {
  const time = began.replace(/^(....)(..)(..)T(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z')
  return new Date(Date.parse(time) - 60_000).toISOString()
}

/** The original text with one guard changed. */
function updatedText(text: string, { guards }: Treasury): string {
  const written = z.looseObject({ guards: z.optional(z.record(z.string(), z.unknown())) }).parse(JSON.parse(text))
  const { worstSlippageBps: bps = WIDE_SLIPPAGE_BPS + 1 } = guards
  const worstSlippageBps = bps > WIDE_SLIPPAGE_BPS ? bps - 1 : bps + 1
  return `${JSON.stringify({ ...written, guards: { ...written.guards, worstSlippageBps } }, undefined, 2)}\n`
}

function readRequest(file: string): ConvertRequest {
  const read = convertRequest.safeParse(JSON.parse(decodeText(readFileSync(file))))
  if (read.success) return read.data
  const where = read.error.issues.map(({ message, path: at }) => `${at.join('.')}: expected ${message}`)
  throw new Refusal(`${file}: no conversion: ${where.join('; ')}`)
}

function namesOf({ service }: Treasury, environment: string, { account, region }: Setup['place']): Names {
  const named = (name: string) => deployedName(name, environment)
  const { id: partition } = partitionOf(region)
  const arnOf = (service: string, resource: string) => `arn:${partition}:${service}:${region}:${account}:${resource}`
  const [table, testRole] = [named(JOURNAL_TABLE), named('sluice-test-role')]
  return {
    ...{ table, tableArn: arnOf('dynamodb', `table/${table}`), restored: named('sluice-restored') },
    homeRole: named(HOME_ROLE),
    stateStack: named('SluiceState'),
    secrets: keySecretsOf(service),
    convertMachineArn: arnOf('states', `stateMachine:${named(StateMachine.Convert)}`),
    auditFunction: named(functionName(Verb.Reconcile)),
    alarm: named('sluice-own-fault'),
    decisionAlias: decisionKeyAlias(environment),
    vault: named(backupVault(undefined)),
    otherRegion: region === OTHER_REGIONS[0] ? OTHER_REGIONS[1] : OTHER_REGIONS[0],
    ...{ testRole, testRoleArn: `arn:${partition}:iam::${account}:role/${testRole}` },
  }
}
