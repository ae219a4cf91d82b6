// The place that a command works on: AWS, or the desk of a state directory. A command finds it once, at its start. Only
// this room reads the flags that name it.
import type { KeyRole } from '../core/contract/service-settings.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { treasuryFor } from './aws/deployed-configuration.ts'
import { type NamedService, readNamedService } from './configuration.ts'
import type { Notes, OperationContext } from './context.ts'
import type { ConnectionFlags } from './next-step.ts'
import { isOnAws, resolveConnection, type Settings } from './settings.ts'

export interface Place {
  readonly isAws: boolean
  /** As they were given, for the commands that go on at the same place. */
  readonly flags: ConnectionFlags
  /** On AWS without a service: the functions have their own keys. */
  readonly settings: Settings
  readonly context: OperationContext
  /**
   * The configuration that is in force here: on AWS the deployed one, and at a desk the file.
   * @throws OperationError (exit 2) for an invalid file
   */
  treasury(): Promise<Treasury>
}

/** @throws OperationError (exit 2) naming the flag */
export function findPlace(flags: ConnectionFlags, context: OperationContext): Place {
  const { configFile, ...settings } = resolveConnection(flags, context.variables)
  let treasury: Promise<Treasury> | undefined
  return {
    isAws: isOnAws(flags),
    flags,
    settings: { ...settings, configFile },
    context,
    treasury() {
      treasury ??= treasuryFor({ flags, configFile, output: context.output })
      return treasury
    },
  }
}

/**
 * The named service with the keys of these roles. Undefined for the built-in sandbox, and on AWS.
 * @throws OperationError (exit 2) for keys or a stage that do not fit, and for a file that a desk refuses
 */
export async function readKeys(
  { isAws, settings, context: { stdin }, ...place }: Place,
  roles: readonly KeyRole[],
): Promise<NamedService | undefined> {
  return isAws ? undefined : readNamedService(settings, await place.treasury(), roles, stdin)
}

/** Names the service that a command uses, before it uses it. A person who forgot a flag then sees it at once. */
export async function noteService({ context, flags, settings, ...place }: Place): Promise<void> {
  noteServiceAt(context.output, { flags, treasury: await place.treasury() }, settings.service?.url)
}

/**
 * The same for a command that needs no keys. On AWS the deployed configuration names the service. At a desk the flags do,
 * whatever the file says: `named` is their address, and is absent for the built-in sandbox.
 */
export function noteServiceAt(
  output: Pick<Notes, 'service'>,
  { flags, treasury }: { readonly flags: ConnectionFlags; readonly treasury: Pick<Treasury, 'service'> },
  named: string | undefined,
): void {
  const { stage, url: configured } = treasury.service
  const url = isOnAws(flags) ? configured : named
  output.service({ stage, ...(url !== undefined && { url }) })
}
