// `sluice events notices set` puts the address of a webhook into the secret that treasury.json names, on AWS or in a
// state directory. It never shows the address. `sluice events notices test` has the function that sends notices send a
// test, and prints the result.

import { Refused } from '../../../core/errors.ts'
import { secretsManagerClient } from '../../../core/keys/secrets-manager-key-source.ts'
import { parseWebhookTarget } from '../../../core/notices/webhook-target.ts'
import { noticeNamed, sendTestNotice } from '../../../operations/events/send-test-notice.ts'
import { KeySecret, Label, withLabel } from '../../../operations/keys/key-secret.ts'
import { withEmbeddedClient } from '../../../operations/keys/key-store.ts'
import { readTreasury } from '../../../place/configuration.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { readText } from '../../../place/files/text-file.ts'
import { serviceOf } from '../../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../../place/next-step.ts'
import { unfit, usageError } from '../../../place/operation-error.ts'
import { assertOnlyAws, filesOf, isOnAws } from '../../../place/settings.ts'
import type { CommandContext } from '../../terminal/context.ts'

interface SetNoticeFlags extends ConnectionFlags {
  readonly address?: string
}

const DESCRIPTION = 'Address of a webhook that Sluice tells. Put by sluice events notices set: see docs/notices.md.'

/** @throws OperationError (exit 2) for an unknown notice, or for an address that is not valid */
export async function setNotice(name: string, flags: SetNoticeFlags, context: CommandContext): Promise<ExitCode> {
  const { output, stdin, variables } = context
  if (flags.address === undefined) {
    throw unfit('address', 'expected a file; got nothing', 'put the address into a file, or use --address -')
  }
  if (isOnAws(flags)) assertOnlyAws(flags)
  const { configFile, stateDir } = filesOf(flags, variables)
  const treasury = readTreasury(configFile)
  const { to } = noticeNamed(name, treasury)
  if (to.webhook === undefined) {
    throw usageError(
      'usage',
      `${name}: expected a notice with a webhook; this one is sent by SNS`,
      'its addresses are in treasury.json',
    )
  }
  const { secret: secretName } = to.webhook
  const text = (await readText(flags.address, 'address', stdin)).trim()
  assertAddress(text, !isOnAws(flags))
  const put = async (secret: KeySecret) => {
    const current = withLabel(await secret.versions(), Label.Current)
    await secret.move(Label.Current, current?.id, await secret.putPending(text))
  }
  if (isOnAws(flags)) {
    const client = secretsManagerClient()
    const creation = { description: DESCRIPTION, kmsKeyArn: treasury.encryption?.secrets }
    await put(new KeySecret(client, secretName, creation)).finally(() => client.destroy())
  } else {
    const where = { stateDir, serviceUrl: serviceOf(flags, variables), service: treasury.service }
    await withEmbeddedClient(where, context, (client) =>
      put(new KeySecret(client, secretName, { description: DESCRIPTION })),
    )
  }
  if (output.json) output.facts({ notice: name, secret: secretName })
  else output.data(`${name}: its address is in the secret ${secretName}`)
  output.next([{ do: 'test-notice', notice: name }])
  return ExitCode.Done
}

function assertAddress(text: string, isDesk: boolean): void {
  try {
    parseWebhookTarget(text, { isDesk })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw unfit('address', error.message, 'correct the file: nothing was written')
  }
}

/** @throws OperationError: exit 2 for an unknown notice, exit 1 where the receiver did not accept it */
export async function testNotice(name: string, flags: ConnectionFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const sent = await sendTestNotice(name, flags, context)
  if (output.json) output.facts(sent)
  else output.data(`${name}: a test was sent, and accepted`)
  return ExitCode.Done
}
