// Defines the `sluice keys` commands: options and help. A command's code is loaded when the command runs.

import { type Command, Option } from 'commander'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import type { DraftFlags } from '../../operations/keys/draft.ts'
import type { KeysFlags } from '../../operations/keys/key-store.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withConsentOptions } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { AdoptFlags } from './adopt.ts'
import type { ProtectFlags } from './protect.ts'
import type { GenerateFlags } from './rotation.ts'
import type { StatusFlags } from './status.ts'

/** Repeats the contract's values. Importing the contract would load the schema library, which delays help. */
const ROLES: readonly KeyRole[] = ['read', 'trade', 'transfer']
const DEFAULT_ROLE: KeyRole = 'trade'

type Run<Flags> = (flags: Flags, context: CommandContext) => Promise<ExitCode>

export const addKeys: AddCommand = (program, context, endWith) => {
  const keys = program
    .command('keys')
    .summary('rotate and check the keys of the service')
    .description('manage the keys of the service in Secrets Manager: rotate them without a stop')
    .addHelpText('before', `Example:\n  ${INVOCATION} keys status\n`)
    .addHelpText('after', `\n${ROTATION_HELP}`)

  const add = <Flags extends KeysFlags>(name: string, description: string, load: () => Promise<Run<Flags>>): Command =>
    keys
      .command(name)
      .description(description)
      .addOption(new Option('--role <role>', 'whose key').choices(ROLES).default(DEFAULT_ROLE))
      .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
      .option('--embedded', 'the secrets of a state directory instead of AWS; needs --service')
      .option('--state <dir>', 'with --embedded: that state directory (default: .sluice) [SLUICE_STATE]')
      .option('--service <url>', 'with --embedded: the service whose runs use these secrets [SLUICE_SERVICE]')
      .addHelpText('before', `Example:\n  ${INVOCATION} keys ${name}\n`)
      .action(async (flags: Flags) => endWith(await (await load())(flags, context)))

  add<GenerateFlags>(
    'generate',
    'make a signing key: the private half goes to AWSPENDING, the public half is printed',
    async () => (await import('./rotation.ts')).generateKey,
  )
    .addOption(new Option('--alg <alg>', 'kind of key').choices(['EdDSA', 'RS256']).default('EdDSA'))
    .option('--bearer <file>', 'also put this new bearer secret; - reads standard input')
    .option('--from-current', 'start from the current version, even where another is pending')
  add<DraftFlags>(
    'stage',
    'put a new bearer secret beside the one in use, as AWSPENDING',
    async () => (await import('./rotation.ts')).stageBearer,
  )
    .option('--bearer <file>', 'the new bearer secret, as the dashboard shows it; - reads standard input')
    .option('--from-current', 'start from the current version, even where another is pending')
  add<KeysFlags>(
    'verify',
    'ask the service whether it accepts the pending key; moves nothing',
    async () => (await import('./verify.ts')).verifyPending,
  )
  add<KeysFlags>(
    'promote',
    'make the verified pending version the current one',
    async () => (await import('./rotation.ts')).promotePending,
  )
  const status = add<StatusFlags>(
    'status',
    'show the versions, and the public part of each key',
    async () => (await import('./status.ts')).showStatus,
  )
  withListOptions(status)
  keys
    .command('protect')
    .description('let only the functions, and the roles that manage keys, read the secrets on AWS')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
    .addHelpText('before', `Example:\n  ${INVOCATION} keys protect\n`)
    .addHelpText('after', `\n${PROTECT_HELP}`)
    .action(async (flags: ProtectFlags) => endWith(await (await import('./protect.ts')).protectSecrets(flags, context)))
  const adopt = keys
    .command('adopt')
    .description('confirm that keys belong to the account of a state directory, where the keys cannot show it')
  adopt
    .option('--service <url>', 'the address of that service [SLUICE_SERVICE]')
    .option('--keys <file>', 'the new key file, as JSON; - reads standard input [SLUICE_KEYS]')
    .option('--state <dir>', 'the state directory (default: .sluice) [SLUICE_STATE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who confirms it (default: $USER)')
    .addHelpText(
      'before',
      `Example:\n  ${INVOCATION} keys adopt --service URL --keys new.json --because 'rotated in the dashboard'\n`,
    )
    .addHelpText('after', `\n${ADOPT_HELP}`)
    .action(async (flags: AdoptFlags) => endWith(await (await import('./adopt.ts')).adoptKeys(flags, context)))
  withConsentOptions(adopt)
}

const ROTATION_HELP = `A rotation, of the bearer secret or of the signing key (or both, one after the other, then once verify and promote):
  keys stage --bearer FILE    after issuing a new secret in the service's dashboard
  keys generate               then upload the printed public half there
  keys verify                 until it succeeds
  keys promote                functions use the new version within five minutes, at once where the old is refused
Private keys and secrets are written to Secrets Manager only, and never shown.`

const PROTECT_HELP = `Puts a resource policy on each secret that treasury.json names, of keys and of notices. Run it as the role
sluice-keys or sluice-break-glass (in an environment, ENVIRONMENT-sluice-keys): the policy lets these read, and change
it again. The other keys commands, and setup doctor --aws, need that role from then on. Where
encryption.secrets names a KMS key of your own, each secret is put under it. It reads and changes no value.`

const ADOPT_HELP = `For runs on this machine, after a rotation of keys that may not read their account (accounts:read). Such a key does not
show its account, and a state directory takes no key whose account is unknown. Your confirmation is recorded in the
directory. Refused for keys that the service refuses, that name another account than the directory's, or that
belong to the other environment. If a new key names its account, the directory belongs to that account from then on.
It sends nothing.`
