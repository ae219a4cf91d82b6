// `sluice keys promote`: makes the pending version the current one, if `keys verify` approved exactly this version. After an
// interruption, the same command finishes the work.
import { roleKeyOf } from '../../core/contract/treasury.ts'
import { nextCommand, refuse } from '../../operations/keys/key-failure.ts'
import { Label, withLabel } from '../../operations/keys/key-secret.ts'
import { type KeysFlags, withKeyStore } from '../../operations/keys/key-store.ts'
import { keysIn } from '../../operations/keys/stored-keys.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { CommandContext } from '../terminal/context.ts'
import { nothingPending } from './verify.ts'

/** @throws OperationError (exit 1) when no version is pending or the pending one is not verified. */
export async function promotePending(flags: KeysFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  return withKeyStore(flags, context, async (keyStore) => {
    const secret = keyStore.secret(roleKeyOf(keyStore.service, flags.role).secret)
    const versions = await secret.versions()
    const pending = withLabel(versions, Label.Pending)
    if (pending === undefined) throw nothingPending(secret.name, flags)
    if (!pending.labels.includes(Label.Verified)) {
      const message = `${secret.name}: the pending version ${pending.id} is not verified; nothing was changed`
      throw refuse(message, nextCommand('verify', flags))
    }
    // The stage of treasury.json may have changed since it was verified.
    keysIn(await secret.read(pending.id), secret.name, flags.role, keyStore)
    const former = withLabel(versions, Label.Current)?.id
    await secret.move(Label.Current, former, pending.id)
    await secret.move(Label.Pending, pending.id, undefined)
    output.data(
      output.json
        ? JSON.stringify({
            secretName: secret.name,
            versionId: pending.id,
            ...(former !== pending.id && { formerVersionId: former }),
          })
        : pending.id,
    )
    output.note(`${secret.name}: version ${pending.id} is current; functions use it within five minutes`)
    output.next([
      nextCommand('status', flags),
      "after those five minutes, revoke the former signing key in the service's dashboard",
    ])
    return ExitCode.Done
  })
}
