// `sluice setup diff`: shows what a treasury.json would change against what is deployed, in the treasury's terms, loosened
// bounds first. Reads only.

import type { Treasury } from '../../../core/contract/treasury.ts'
import { type Change, changesOf } from '../../../core/treasury/changes.ts'
import { hashConfiguration } from '../../../core/treasury/config.ts'
import type { Column } from '../../../operations/words/column.ts'
import { type AwsAddress, deploymentOf } from '../../../place/aws/aws-address.ts'
import { deployedAt } from '../../../place/aws/deployed-configuration.ts'
import { readTreasury } from '../../../place/configuration.ts'
import { findDesk } from '../../../place/desk/desk-file.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import type { ConnectionFlags } from '../../../place/next-step.ts'
import { OperationError } from '../../../place/operation-error.ts'
import { isOnAws, resolveConnection } from '../../../place/settings.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { assertListFlags, type ListFlags, printList } from '../../terminal/listing.ts'

interface DiffFlags extends ConnectionFlags, ListFlags {
  readonly exitCode?: true
}

const COLUMNS: readonly Column<Change>[] = [
  { title: 'bound', text: ({ kind }) => kind },
  { title: 'field', text: ({ path }) => path },
  { title: 'what changes', text: ({ text }) => text },
]

/** @throws OperationError where nothing is deployed that the file could be compared with. */
export async function showDiff(flags: DiffFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, COLUMNS)
  const settings = resolveConnection(flags, context.variables)
  const file = readTreasury(settings.configFile)
  const deployed = await deployedAt(addressOf(flags, settings.stateDir, file), flags)
  const changes = changesOf(deployed.treasury, JSON.parse(JSON.stringify(file)))
  const hashes = { deployed: deployed.configuration, file: hashConfiguration(file) }
  if (output.json) output.facts({ release: deployed.release, ...hashes, changes })
  else if (changes.length > 0 || flags.csv === true) printList(COLUMNS, changes, flags, context)
  output.note(summaryOf(changes, settings.configFile))
  for (const caution of [...cautionsOf(changes), ...(isOnAws(flags) ? roleCautions(changes) : [])]) output.note(caution)
  if (changes.length > 0 && isOnAws(flags))
    output.next([{ do: 'deploy', config: flags.config, why: 'shows this again, and asks' }])
  const isLoosened = changes.some(({ kind }) => kind === 'loosened')
  return flags.exitCode === true && isLoosened ? ExitCode.Loosened : ExitCode.Done
}

function addressOf(flags: DiffFlags, stateDir: string, treasury: Treasury): AwsAddress {
  if (isOnAws(flags)) return deploymentOf(treasury)
  const desk = findDesk(stateDir)
  if (desk?.machines !== undefined) return desk
  throw new OperationError({
    exitCode: ExitCode.NothingDeployed,
    code: 'nothing_deployed',
    message: `no process serves ${stateDir}, so nothing runs there that a file could change`,
    next: { do: 'serve', why: 'and this command beside it; or add --aws' },
  })
}

function summaryOf(changes: readonly Change[], configFile: string): string {
  if (changes.length === 0) return `${configFile} changes nothing: it is what is deployed`
  const count = (kind: Change['kind']) => changes.filter((change) => change.kind === kind).length
  return `${configFile} loosens ${count('loosened')}, tightens ${count('tightened')} and changes ${count('changed')} more`
}

/** Warns of effects that a change has outside the file. */
function cautionsOf(changes: readonly Change[]): readonly string[] {
  const touches = (...fields: readonly string[]) =>
    changes.some(({ path }) => fields.some((field) => path === field || path.startsWith(`${field}.`)))
  return [
    ...(touches('service.keySecret', 'service.keys')
      ? [
          'executions under way sign with the former secrets: wait for them, or enter them again afterwards (sluice cases again)',
        ]
      : []),
    ...(changes.some(({ path }) => path.split('.')[0] === 'webhooks')
      ? ['where webhooks are added or removed, their address changes: give the new address to the service']
      : []),
  ]
}

/** On one machine there are no roles. */
function roleCautions(changes: readonly Change[]): readonly string[] {
  if (!changes.some(({ path }) => path === 'aws.rolePath')) return []
  return [
    'IAM moves no role, so CloudFormation refuses another aws.rolePath: docs/deployment.md, "Tags, roles and logs", says how to change it',
  ]
}
