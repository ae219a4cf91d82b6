// `sluice keys adopt`: a person confirms that keys belong to the account whose records a state directory keeps. This is for
// old or new keys that may not read their account. It changes only the account pin, and sends nothing.

import { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { ServiceKey } from '../../core/keys/key-source.ts'
import { admitService } from '../../place/account/admit-service.ts'
import { parseKey, readTreasury } from '../../place/configuration.ts'
import { readName, readReason } from '../../place/decider.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { readText } from '../../place/files/text-file.ts'
import { unfit } from '../../place/operation-error.ts'
import { type Flags, resolveSettings } from '../../place/settings.ts'
import { lockState } from '../../place/state/state-lock.ts'
import { type DecisionFlags, requireConsent } from '../terminal/consent.ts'
import type { CommandContext } from '../terminal/context.ts'

interface AdoptFlags extends Flags, DecisionFlags {}

/** @throws OperationError: exit 2 for keys that are known to belong to another account, and for missing consent */
export async function adoptKeys(flags: AdoptFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  const { stateDir, configFile, service } = resolveSettings(flags, variables)
  if (service === undefined) {
    throw unfit('service', 'expected the address of a service; got nothing', 'add --service URL --keys FILE')
  }
  const { url } = service
  const ownKeys = keysIn(await readText(service.keysFile, 'keys', context.stdin), readTreasury(configFile))
  const by = readName(flags.by, variables)
  const because = readReason(flags.because)
  const onWait = (pid: number) => output.note(`waiting: ${stateDir} is in use by process ${pid}`)
  const lock = await lockState({ stateDir, clock, onWait, onRepaired: output.note })
  let adopted: readonly string[] = []
  try {
    await admitService(stateDir, { url, ownKeys }, clock, async (keys, address) => {
      const where = address === undefined ? '' : ', and this address, which is new to it, as the address of its service'
      const question = `take ${keys.join(', ')} at ${url} as keys of the account whose records ${stateDir} keeps${where}, for good?`
      await requireConsent(question, flags, context)
      adopted = keys
      return { by, because, at: new Date(clock.nowMs()).toISOString() }
    })
  } finally {
    lock.release()
  }
  const text = adopted.length === 0 ? 'these keys were taken before' : `taken: ${adopted.join(', ')}`
  if (output.json) output.facts({ adopted })
  else output.data(text)
  output.next([{ do: 'list-cases', why: 'what a former key has sent may wait for cases resolve --same-account' }])
  return ExitCode.Done
}

/**
 * The keys of all roles in a key file.
 * @throws OperationError (exit 2) for wrong material
 */
function keysIn(text: string, { service: { stage } }: Treasury): ServiceKey[] {
  const reading = parseKey(text, stage, KeyRole.Read)
  const sending = [KeyRole.Trade, KeyRole.Transfer].filter((role) => Object.hasOwn(JSON.parse(text), role))
  return [reading, ...sending.map((role) => parseKey(text, stage, role))]
}
