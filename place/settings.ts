// Resolves each setting: a flag comes before a SLUICE_* variable, and that before the default. A message can name the
// source of a value. It reads no file's content and opens no connection.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { isPackage, rootDir, type Variables } from './context.ts'
import { advice, type ConnectionFlags, type Option, option } from './next-step.ts'
import { unfit, usageError } from './operation-error.ts'
import { parseServiceAddress } from './service/service-address.ts'

/**
 * The environment variable that can replace each flag. The variables of the functions are in
 * core/contract/environment.ts.
 */
export const Variable = {
  state: 'SLUICE_STATE',
  config: 'SLUICE_CONFIG',
  service: 'SLUICE_SERVICE',
  keys: 'SLUICE_KEYS',
} as const
type SettingName = keyof typeof Variable

export type Flags = { readonly [name in SettingName]?: string }

export interface Settings {
  /** Absolute. */
  readonly stateDir: string
  /** Absolute. */
  readonly configFile: string
  /** Absent: the built-in sandbox. */
  readonly service?: {
    /** Without a trailing slash and without `/v2`. */
    readonly url: string
    /** A path, or `-` for standard input. */
    readonly keysFile: string
  }
}

/** @throws OperationError (exit 2) naming the flag or variable. */
export function resolveSettings(flags: Flags, variables: Variables): Settings {
  const service = settingOf('service', flags, variables)
  const keys = settingOf('keys', flags, variables)
  const settings = {
    stateDir: stateDirOf(flags, variables),
    configFile: configFileOf(flags, variables),
  }
  if (service === undefined && keys === undefined) return settings
  if (service === undefined) {
    throw usageError(
      'usage',
      advice`${keys?.source}: keys are for a service address, and none was given`,
      advice`add ${option('service')} URL, or leave the keys out to use the built-in sandbox`,
    )
  }
  if (keys === undefined) {
    throw usageError(
      'usage',
      advice`${service.source}: a service needs a key file, and none was given`,
      advice`add ${option('keys')} FILE, a JSON file {"secret","privateKeyPem","alg"}, or ${option('keys')} - to read it from standard input`,
    )
  }
  return { ...settings, service: { url: parseServiceAddress(service.value, service.source), keysFile: keys.value } }
}

/** The directory and the file of a place, for a command that opens no service by flags. An empty flag counts as absent. */
export function filesOf({ config, state }: Flags, variables: Variables): Pick<Settings, 'stateDir' | 'configFile'> {
  const given = { ...(config && { config }), ...(state && { state }) }
  return { stateDir: stateDirOf(given, variables), configFile: configFileOf(given, variables) }
}

/** Absolute. @throws OperationError (exit 2) naming the flag */
export function configFileOf(flags: Flags, variables: Variables): string {
  return path.resolve(settingOf('config', flags, variables)?.value ?? defaultConfigFile())
}

/** A company that installed the package has a treasury.json of its own. The package's is the example of the checkout. */
function defaultConfigFile(): string {
  return isPackage && existsSync(FILE) ? FILE : path.join(rootDir, FILE)
}

const FILE = 'treasury.json'

/** Absolute. @throws OperationError (exit 2) naming the flag */
export function stateDirOf(flags: Flags, variables: Variables): string {
  return path.resolve(settingOf('state', flags, variables)?.value ?? '.sluice')
}

function settingOf(
  name: SettingName,
  flags: Flags,
  variables: Variables,
): { value: string; source: string | Option } | undefined {
  const flag = flags[name]
  if (flag === '') {
    throw unfit(name, 'expected a value; got an empty one', `give --${name} a value or leave it out`)
  }
  if (flag !== undefined) return { value: flag, source: option(name) }
  const variable = variables[Variable[name]]
  // An empty variable is how shells and CI systems say "not set".
  return variable ? { value: variable, source: Variable[name] } : undefined
}

/** For what is said of a place before it is opened. */
export function isOnAws({ aws }: { readonly aws?: true }): boolean {
  return aws === true
}

/**
 * Resolves the settings of a command that has --aws. With it, flags for a state directory are refused, and their
 * variables do not count.
 * @throws OperationError (exit 2) naming the flag
 */
export function resolveConnection(flags: ConnectionFlags, variables: Variables): Settings {
  if (flags.aws !== true) return resolveSettings(flags, variables)
  assertOnlyAws(flags)
  return resolveSettings(flags, { [Variable.config]: variables[Variable.config] })
}

/** @throws OperationError (exit 2) naming the flag */
export function assertOnlyAws({ keys, service, state }: Flags): void {
  const stray = Object.entries({ state, service, keys }).find(([, value]) => value !== undefined)?.[0]
  if (stray === undefined) return
  const problem = advice`belongs to a state directory; with ${option('aws')} the service is that of treasury.json`
  throw unfit(stray, problem, advice`leave ${option(stray)} or ${option('aws')} out`)
}
