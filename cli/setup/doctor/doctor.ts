// `sluice setup doctor`: shows whether a set-up would work, and what to do about each fault. The checks are in
// operations/doctor/. Moves nothing, unless --convert names a market.

import { Stage } from '../../../core/contract/service-settings.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { assertConvertible } from '../../../operations/doctor/after-deploy/least-conversion.ts'
import { type Check, countOf } from '../../../operations/doctor/check.ts'
import { configurationFileCheck } from '../../../operations/doctor/configuration-check.ts'
import { examine } from '../../../operations/doctor/examine.ts'
import { haltChecks } from '../../../operations/doctor/halt-checks.ts'
import { keysOfFile } from '../../../operations/doctor/key-checks.ts'
import { sandboxCheck } from '../../../operations/doctor/placeholder.ts'
import { parseReferences, type ReferenceFlags, type References } from '../../../operations/doctor/references.ts'
import { timingChecks } from '../../../operations/doctor/timing-checks.ts'
import { assertTestStage, readTreasury } from '../../../place/configuration.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import type { ConnectionFlags } from '../../../place/next-step.ts'
import { unfit } from '../../../place/operation-error.ts'
import { withConnectedService } from '../../../place/place-service.ts'
import { ID_EXPECTATION, isId } from '../../../place/service/service-id.ts'
import { type Flags, isOnAws, resolveSettings, type Settings } from '../../../place/settings.ts'
import { CHECK_COLUMNS, checkLines } from '../../../views/checks.ts'
import { conversionWords } from '../../../views/runs/movement-words.ts'
import { commandWith, deployCommand, INVOCATION, verifyCommand } from '../../terminal/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, screenWidth } from '../../terminal/listing.ts'
import { createProgress } from '../../terminal/progress.ts'

interface DoctorFlags extends Flags, ReferenceFlags, ListFlags {
  readonly aws?: true
  readonly beforeDeploy?: boolean
  readonly afterDeploy?: boolean
  readonly convert?: string
  readonly probeSigning?: boolean
}

interface Asked {
  readonly flags: DoctorFlags
  readonly settings: Settings
  readonly references: References
  readonly treasury: Treasury
  /** Checks of the file itself, which ask nothing. */
  readonly known: readonly Check[]
}

/** @throws OperationError (exit 2) where nothing can be checked. */
export async function runDoctor(flags: DoctorFlags, context: CommandContext): Promise<ExitCode> {
  assertListFlags(flags, context.output, CHECK_COLUMNS)
  const settings = resolveSettings(flags, context.variables)
  const references = parseReferences(flags)
  const treasury = readTreasury(settings.configFile)
  assertFitting(flags, settings, treasury)
  const configuration = configurationFileCheck(settings.configFile, treasury.service.stage)
  const asked = { flags, settings, references, treasury, known: [configuration, ...timingChecks(treasury.timing)] }
  if (flags.beforeDeploy === true) return beforeDeploy(asked, context)
  if (flags.afterDeploy === true) return afterDeploy(asked, context)
  const found = [...asked.known, ...(await (isOnAws(flags) ? ofAws(asked, context) : ofService(asked, context)))]
  printFound(found, asked, context)
  return countOf(found, 'fail') === 0 ? ExitCode.Done : ExitCode.Failed
}

/**
 * Runs before anything is asked.
 * @throws OperationError (exit 2) for flags that exclude each other
 */
function assertFitting(flags: DoctorFlags, { service }: Settings, treasury: Treasury): void {
  const { afterDeploy: isAfter, aws, beforeDeploy: isBefore, convert } = flags
  if (isBefore === true && isAfter === true) {
    const problem = 'expected no --before-deploy beside it; got both'
    throw unfit('after-deploy', problem, 'leave one of them out')
  }
  for (const [name, isGiven] of [
    ['before-deploy', isBefore],
    ['after-deploy', isAfter],
  ] as const) {
    if (isGiven !== true || aws === true) continue
    const problem = 'expected --aws beside it, as a state directory is not deployed'
    throw unfit(name, problem, commandWith(`setup doctor --${name}`, { aws: true }))
  }
  if (aws === true && service !== undefined) throw notBoth()
  if (convert === undefined) return
  if (isAfter !== true) {
    const problem = 'expected --aws --after-deploy beside it'
    throw unfit('convert', problem, commandWith('setup doctor --after-deploy --convert MARKET', { aws: true }))
  }
  if (!isId(convert)) {
    const problem = `expected the id of a market, of ${ID_EXPECTATION}; got something else`
    throw unfit('convert', problem, 'such as --convert ETH-EUR; sluice service markets lists them')
  }
  assertConvertible(treasury.service.stage)
}

async function ofAws({ flags, references, treasury }: Asked, context: CommandContext): Promise<readonly Check[]> {
  const [{ askDeployed }, { factsCheck, withAccountRecord }, { examineDeployed }, { serviceAccountCheck }] =
    await Promise.all([
      import('../../../operations/doctor/configuration-check.ts'),
      import('../../../operations/doctor/deployed/accounts.ts'),
      import('../../../operations/doctor/deployed/examine-deployed.ts'),
      import('../../../operations/doctor/service-account/service-account-check.ts'),
    ])
  const { config, probeSigning } = flags
  const answer = await askDeployed(treasury)
  return withAccountRecord(treasury, async (record) => {
    const setup = {
      local: treasury,
      told: answer,
      treasury,
      record,
      references,
      config,
      isSigningProbed: probeSigning === true,
    }
    const { agreed, facts, keys, named, resources } = await examineDeployed(setup, context)
    const elsewhere = await serviceAccountCheck(treasury, { known: agreed })
    return [...resources, ...keys, elsewhere, factsCheck(facts, config), ...named]
  })
}

async function ofService(
  { flags, references, settings, treasury }: Asked,
  context: CommandContext,
): Promise<readonly Check[]> {
  const { stage, url: configured } = treasury.service
  const halts = await haltChecks(connectionFlagsOf(flags), context)
  return withConnectedService(settings, context, async ({ url, keys, isBuiltIn }) => {
    if (isBuiltIn) assertTestStage(treasury)
    const keyFinder = keysOfFile(keys, stage, isBuiltIn ? 'the built-in sandbox' : 'the key file')
    const setup = { url, stage, keyFinder, references, treasury, isSigningProbed: flags.probeSigning === true }
    const { keys: ofKeys, named } = await examine(setup, context.clock)
    return [...(isBuiltIn ? [sandboxCheck(configured)] : []), ...halts, ...ofKeys, ...named]
  })
}

function connectionFlagsOf({ config, service, state }: DoctorFlags): ConnectionFlags {
  return Object.fromEntries(Object.entries({ config, service, state }).filter(([, value]) => value !== undefined))
}

async function beforeDeploy({ flags, known, treasury }: Asked, context: CommandContext): Promise<ExitCode> {
  const { beforeDeployChecks } = await import('../../../operations/doctor/before-deploy/before-deploy.ts')
  const found = [...known, ...(await beforeDeployChecks(treasury))]
  printChecks(found, treasury, flags, context)
  const { output } = context
  const failed = countOf(found, 'fail')
  const { config } = flags
  const same = { aws: true, ...(config !== undefined && { config }) } as const
  output.next(
    failed === 0
      ? [deployCommand(config), commandWith('setup diff', same)]
      : [`${commandWith('setup doctor --before-deploy', same)}   # again, when the failures are fixed`],
  )
  return failed === 0 ? ExitCode.Done : ExitCode.Failed
}

/** Prints the findings, even if a conversion fails. */
async function afterDeploy({ flags, known, references, treasury }: Asked, context: CommandContext): Promise<ExitCode> {
  const [{ askDeployed }, { withAccountRecord }, { verifyDeployed }] = await Promise.all([
    import('../../../operations/doctor/configuration-check.ts'),
    import('../../../operations/doctor/deployed/accounts.ts'),
    import('../../../operations/doctor/after-deploy/after-deploy.ts'),
  ])
  const { config, convert: market } = flags
  const answer = await askDeployed(treasury)
  const found = [...known]
  try {
    const reporting = { ...conversionWords, progress: createProgress(context.output, context.clock) }
    const exitCode = await withAccountRecord(treasury, (record) =>
      verifyDeployed(
        { local: treasury, told: answer, record, references, config, market, telling: reporting },
        context,
        (checks) => {
          found.push(...checks)
        },
      ),
    )
    printChecks(found, treasury, flags, context)
    nextAfterVerification({ config, market, stage: treasury.service.stage }, exitCode, context)
    return exitCode
  } catch (error) {
    if (found.length > known.length) printChecks(found, treasury, flags, context)
    throw error
  }
}

interface Verified {
  readonly config: string | undefined
  readonly market: string | undefined
  readonly stage: Stage
}

function nextAfterVerification({ config, market, stage }: Verified, exitCode: ExitCode, { output }: CommandContext) {
  const verify = verifyCommand(config)
  if (exitCode !== ExitCode.Done) {
    // The finding says how to check a conversion: the same command again would be another conversion.
    if (exitCode === ExitCode.Failed) output.next([`${verify}   # again, when the failures are fixed`])
    return
  }
  const once = `${verify}${config === undefined ? ' --' : ''} --convert MARKET   # one conversion of the market's minimum`
  const policies = commandWith('policies', { aws: true, ...(config !== undefined && { config }) })
  output.next([...(market === undefined && stage === Stage.Test ? [once] : []), policies])
}

function printFound(found: readonly Check[], { flags, treasury }: Asked, context: CommandContext): void {
  const { aws, ...given } = flags
  printChecks(found, treasury, flags, context)
  const where = { ...given, ...(aws === true && { aws }) }
  const works = commandWith(aws === true ? 'policies' : 'whoami', where)
  context.output.next(
    countOf(found, 'fail') === 0
      ? [works, `${INVOCATION} run convert --help`]
      : [`${commandWith('setup doctor', where)}   # again, when the failures are fixed`],
  )
}

function notBoth(): Error {
  return unfit(
    'aws',
    'expected no service beside it, as it checks the service of treasury.json; got both',
    'leave out --service and --keys (and SLUICE_SERVICE, SLUICE_KEYS), or leave out --aws',
  )
}

function printChecks(
  checks: readonly Check[],
  { service }: Pick<Treasury, 'service'>,
  flags: ListFlags,
  context: CommandContext,
): void {
  const { output, stdout } = context
  const shown = checks.map((check) => ({ ...check, next: check.next === null ? null : output.spell(check.next) }))
  if (output.json) output.facts(shown)
  else if (flags.csv === true || flags.columns !== undefined) printList(CHECK_COLUMNS, shown, flags, context)
  else for (const line of checkLines(shown, stdout, screenWidth(context, flags))) output.data(line)
  const [fine, warned, failed] = (['ok', 'warn', 'fail'] as const).map((status) => countOf(checks, status))
  output.note(`${fine} ok, ${warned} warn, ${failed} fail, for the stage ${service.stage}`)
}
