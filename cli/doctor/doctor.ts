// `sluice doctor`: says on one page whether a set-up would work, and what to do about each thing that would not. It
// checks from the outside in, so that a check never needs something that was not checked before. Moves nothing.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { KeyRole, type Stage, type Treasury } from '../../core/contract/treasury.ts'
import type { KeySource } from '../../core/keys/key-source.ts'
import { createServiceClient } from '../../core/service/service-client.ts'
import { assertTestStage, readTreasury } from '../target/configuration.ts'
import { withConnection } from '../target/service/service-connection.ts'
import { withServiceTarget } from '../target/service/service-target.ts'
import { type Flags, resolveSettings } from '../target/settings.ts'
import { usageError } from '../terminal/command-error.ts'
import { commandWith, deployCommand, INVOCATION, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { assertListFlags, type ListFlags, printList, screenWidth } from '../terminal/listing.ts'
import { printableJson } from '../terminal/table.ts'
import { accessChecks } from './access-checks.ts'
import { clockCheck, healthChecks, resolutionCheck, tlsCheck } from './address-checks.ts'
import { CHECK_COLUMNS, type Check, checkLines, countOf, fail, ok, withCommands } from './check.ts'
import { configurationCheck } from './configuration-check.ts'
import { haltChecks } from './halt-checks.ts'
import { journalCheck } from './journal-check.ts'
import {
  type KeyFinder,
  keyChecks,
  keysOfFile,
  keysOfSecrets,
  type RoleKey,
  signingChecks,
  signingUnknown,
} from './key-checks.ts'
import { policyChecks } from './policy-checks.ts'
import { referenceChecks } from './reference-checks.ts'
import { parseReferences, type ReferenceFlags, type References } from './references.ts'
import { timingChecks } from './timing-checks.ts'

export interface DoctorFlags extends Flags, ReferenceFlags, ListFlags {
  readonly aws?: boolean
  readonly beforeDeploy?: boolean
  readonly probeSigning?: boolean
}

/** What is checked. All of it is known to be well formed. */
interface Setup {
  readonly url: string
  readonly stage: Stage
  readonly keyFinder: KeyFinder
  readonly references: References
  readonly treasury: Treasury
  readonly isSigningProbed: boolean
}

/** @throws CommandError (exit 2) for what cannot be checked at all. */
export async function runDoctor(flags: DoctorFlags, context: CommandContext): Promise<ExitCode> {
  assertListFlags(flags, context.output, CHECK_COLUMNS)
  const settings = resolveSettings(flags, context.variables)
  const references = parseReferences(flags)
  const treasury = readTreasury(settings.configFile)
  const found = [ok('configuration', `${settings.configFile}, stage ${treasury.service.stage}`)]
  found.push(...timingChecks(treasury.timing))
  if (flags.aws === true && settings.service !== undefined) throw notBoth()
  if (flags.beforeDeploy === true) return beforeDeploy(found, treasury, flags, context)
  found.push(...(await haltChecks(targetOf(flags), context)))
  const common = { stage: treasury.service.stage, references, treasury, isSigningProbed: flags.probeSigning === true }
  if (flags.aws === true) {
    // Loaded only here: the client of IAM takes its time.
    const { serviceAccountCheck } = await import('./service-account/service-account-check.ts')
    found.push(await journalCheck(treasury), await configurationCheck(treasury), await serviceAccountCheck(treasury))
    const keyFinder = await keysOfSecrets(treasury.service, context.clock)
    found.push(...(await examine({ ...common, url: treasury.service.url, keyFinder }, context.clock)))
  } else {
    await withServiceTarget(settings, context, async ({ url, keys, isBuiltIn }) => {
      if (isBuiltIn) assertTestStage(treasury)
      const source = isBuiltIn ? 'the built-in sandbox' : 'the key file'
      found.push(
        ...(await examine({ ...common, url, keyFinder: keysOfFile(keys, common.stage, source) }, context.clock)),
      )
    })
  }
  printChecks(found, treasury, flags, context)
  return countOf(found, 'fail') === 0 ? ExitCode.Done : ExitCode.Failed
}

function targetOf({ aws, config, service, state }: DoctorFlags): TargetFlags {
  const given = { config, service, state }
  return {
    ...(aws === true && { aws }),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }
}

/** @throws CommandError (exit 2) without --aws */
async function beforeDeploy(
  known: readonly Check[],
  treasury: Treasury,
  flags: DoctorFlags,
  context: CommandContext,
): Promise<ExitCode> {
  if (flags.aws !== true) {
    const message = '--before-deploy: expected --aws beside it, as a state directory is not deployed'
    throw usageError('usage', message, commandWith('doctor --before-deploy', { aws: true }))
  }
  const { beforeDeployChecks } = await import('./before-deploy/before-deploy.ts')
  const found = [...known, ...(await beforeDeployChecks(treasury))]
  printFound(found, treasury, flags, context)
  const { output } = context
  const failed = countOf(found, 'fail')
  const { config } = flags
  const same = { aws: true, ...(config !== undefined && { config }) } as const
  output.next(
    failed === 0
      ? [deployCommand(config), commandWith('diff', same)]
      : [`${commandWith('doctor --before-deploy', same)}   # again, when what failed is put right`],
  )
  return failed === 0 ? ExitCode.Done : ExitCode.Failed
}

/** Stops where nothing further can be known. */
async function examine(setup: Setup, clock: Clock): Promise<Check[]> {
  const { url, keyFinder } = setup
  const { checks: shapes, keys } = await keyChecks(keyFinder)
  const open = createServiceClient({ baseUrl: url, key: noKey, clock, newId: randomUUID })
  try {
    const outside = [await resolutionCheck(url), await tlsCheck(url, setup.stage, clock), ...(await healthChecks(open))]
    const checks = [...outside, ...shapes]
    if (countOf(outside, 'fail') > 0) return checks
    checks.push(await clockCheck(open))
    return [...checks, ...(await examineKeys(setup, keys, clock))]
  } finally {
    open.close()
  }
}

async function examineKeys(setup: Setup, keys: readonly RoleKey[], clock: Clock): Promise<readonly Check[]> {
  const { url: baseUrl, references, treasury, isSigningProbed } = setup
  const { checks, admitted } = await accessChecks(baseUrl, keys, clock)
  const signing = isSigningProbed ? await signingChecks(baseUrl, admitted, clock) : signingUnknown(admitted)
  const reading = admitted.find(({ role }) => role === KeyRole.Read)
  const named =
    reading === undefined
      ? unread(references)
      : await withConnection({ baseUrl, key: reading.key, clock }, async (client) => [
          ...(await policyChecks(treasury, client)),
          ...(await referenceChecks(references, client)),
        ])
  return [...checks, ...signing, ...named]
}

/** What was named and could not be checked is a failure. */
function unread({ contacts, assets, markets }: References): Check[] {
  const count = contacts.length + assets.length + markets.length
  if (count === 0) return []
  return [fail('named', `not looked at: ${count} contacts, assets and markets`, 'put the key to read right first')]
}

/** For requests that need no key. */
const noKey: KeySource = {
  current: () => Promise.reject(new TypeError('these requests carry no key')),
  forget: () => {},
}

function printChecks(found: readonly Check[], treasury: Treasury, flags: DoctorFlags, context: CommandContext): void {
  const { aws, ...given } = flags
  // Those that list something ask a service, and know no --aws.
  const checks = withCommands(found, given)
  printFound(checks, treasury, flags, context)
  const where = { ...given, ...(aws === true && { aws }) }
  const works = commandWith(aws === true ? 'policies' : 'account', where)
  context.output.next(
    countOf(checks, 'fail') === 0
      ? [works, `${INVOCATION} run convert --help`]
      : [`${commandWith('doctor', where)}   # again, when what failed is put right`],
  )
}

function printFound(
  checks: readonly Check[],
  { service }: Treasury,
  flags: DoctorFlags,
  context: CommandContext,
): void {
  const { output, stdout } = context
  if (output.json) output.data(printableJson(checks))
  else if (flags.csv === true || flags.columns !== undefined) printList(CHECK_COLUMNS, checks, flags, context)
  else for (const line of checkLines(checks, stdout, screenWidth(context, flags))) output.data(line)
  const [fine, warned, failed] = (['ok', 'warn', 'fail'] as const).map((status) => countOf(checks, status))
  output.note(`${fine} ok, ${warned} warn, ${failed} fail, for the stage ${service.stage}`)
}

function notBoth(): Error {
  return usageError(
    'usage',
    '--aws: expected no service beside it, as it looks at the one of treasury.json; got both',
    'leave out --service and --keys (and SLUICE_SERVICE, SLUICE_KEYS), or leave out --aws',
  )
}
