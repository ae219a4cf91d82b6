// Defines the `sluice keys` commands. A command's code is loaded when the command runs.

import { Option } from 'commander'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import { type AddCommand, type CommandDefinition, command, noun } from '../terminal/commander.ts'
import { CONFIG, CONSENT, LIST } from '../terminal/options.ts'

/** Repeats the contract's values. Importing the contract would load the schema library, which delays help. */
const ROLES: readonly KeyRole[] = ['read', 'trade', 'transfer']
const DEFAULT_ROLE: KeyRole = 'trade'

const FROM_CURRENT = ['--from-current', 'start from the current version, even where another is pending'] as const

const ofSecret = (
  name: string,
  what: string,
  load: CommandDefinition['load'],
  options: CommandDefinition['options'] = [],
): AddCommand =>
  command({
    name,
    what,
    options: [
      new Option('--role <role>', 'whose key').choices(ROLES).default(DEFAULT_ROLE),
      CONFIG,
      ['--embedded', 'the secrets of a state directory instead of AWS; needs --service'],
      ['--state <dir>', 'with --embedded: that state directory (default: .sluice) [SLUICE_STATE]'],
      ['--service <url>', 'with --embedded: the service whose runs use these secrets [SLUICE_SERVICE]'],
      ...options,
    ],
    example: `keys ${name}`,
    load,
  })

const rotation = () => import('./rotation.ts')

const generate = ofSecret(
  'generate',
  'make a signing key: the private half goes to AWSPENDING, the public half is printed',
  async () => (await rotation()).generateKey,
  [
    new Option('--alg <alg>', 'kind of key').choices(['EdDSA', 'RS256']).default('EdDSA'),
    ['--bearer <file>', 'also put this new bearer secret; - reads standard input'],
    FROM_CURRENT,
  ],
)

const stage = ofSecret(
  'stage',
  'put a new bearer secret beside the one in use, as AWSPENDING',
  async () => (await rotation()).stageBearer,
  [['--bearer <file>', 'the new bearer secret, as the dashboard shows it; - reads standard input'], FROM_CURRENT],
)

const verify = ofSecret(
  'verify',
  'ask the service whether it accepts the pending key; moves nothing',
  async () => (await import('./verify.ts')).verifyPending,
)

const promote = ofSecret(
  'promote',
  'make the verified pending version the current one',
  async () => (await rotation()).promotePending,
)

const status = ofSecret(
  'status',
  'show the versions, and the public part of each key',
  async () => (await import('./status.ts')).showStatus,
  LIST,
)

const protect = command({
  name: 'protect',
  what: 'let only the functions, and the roles that manage keys, read the secrets on AWS',
  options: [CONFIG],
  example: 'keys protect',
  help: `Puts a resource policy on each secret that treasury.json names, of keys and of notices. Run it as the role
sluice-keys or sluice-break-glass (in an environment, ENVIRONMENT-sluice-keys): the policy lets these read, and change
it again. The other keys commands, and setup doctor --aws, need that role from then on. Where
encryption.secrets names a KMS key of your own, each secret is put under it. It reads and changes no value.`,
  load: async () => (await import('./protect.ts')).protectSecrets,
})

const adopt = command({
  name: 'adopt',
  what: 'confirm that keys belong to the account of a state directory, where the keys cannot show it',
  options: [
    ['--service <url>', 'the address of that service [SLUICE_SERVICE]'],
    ['--keys <file>', 'the new key file, as JSON; - reads standard input [SLUICE_KEYS]'],
    ['--state <dir>', 'the state directory (default: .sluice) [SLUICE_STATE]'],
    CONFIG,
    ['--because <text>', 'what was seen, and where'],
    ['--by <name>', 'who confirms it (default: $USER)'],
    ...CONSENT,
  ],
  example: `keys adopt --service URL --keys new.json --because 'rotated in the dashboard'`,
  help: `For runs on this machine, after a rotation of keys that may not read their account (accounts:read). Such a key does not
show its account, and a state directory takes no key whose account is unknown. Your confirmation is recorded in the
directory. Refused for keys that the service refuses, that name another account than the directory's, or that
belong to the other environment. If a new key names its account, the directory belongs to that account from then on.
It sends nothing.`,
  load: async () => (await import('./adopt.ts')).adoptKeys,
})

export const addKeys = noun(
  {
    name: 'keys',
    summary: 'rotate and check the keys of the service',
    what: 'manage the keys of the service in Secrets Manager: rotate them without a stop',
    example: 'keys status',
    help: `A rotation, of the bearer secret or of the signing key (or both, one after the other, then once verify and promote):
  keys stage --bearer FILE    after issuing a new secret in the service's dashboard
  keys generate               then upload the printed public half there
  keys verify                 until it succeeds
  keys promote                functions use the new version within five minutes, at once where the old is refused
Private keys and secrets are written to Secrets Manager only, and never shown.`,
  },
  [generate, stage, verify, promote, status, protect, adopt],
)
