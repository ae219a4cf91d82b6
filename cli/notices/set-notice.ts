// `sluice notices set`: puts the address of a webhook into the secret that treasury.json names, on AWS or in a state directory.
// It shows nothing of the address.
import { Refused } from '../../core/errors.ts'
import { secretsManagerClient } from '../../core/keys/secrets-manager-key-source.ts'
import { parseWebhookTarget } from '../../core/notices/webhook-target.ts'
import { KeySecret, Label, withLabel } from '../keys/key-secret.ts'
import { withEmbeddedClient } from '../keys/key-target.ts'
import { readTreasury } from '../target/configuration.ts'
import { serviceOf } from '../target/journal/journal-target.ts'
import { assertOnlyAws, resolveSettings, Variable } from '../target/settings.ts'
import { usageError } from '../terminal/command-error.ts'
import { commandIn, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { printableJson } from '../terminal/printable.ts'
import { readText } from '../terminal/text-file.ts'
import { noticeNamed } from './notice-named.ts'

export interface SetNoticeFlags extends TargetFlags {
  readonly address?: string
}

const DESCRIPTION = 'Address of a webhook that Sluice tells. Put by sluice notices set: see docs/notices.md.'

/** @throws CommandError (exit 2) for a notice that there is not, or an address that cannot be one */
export async function setNotice(name: string, flags: SetNoticeFlags, context: CommandContext): Promise<ExitCode> {
  const { output, stdin, variables } = context
  if (flags.address === undefined) {
    throw usageError(
      'usage',
      '--address: expected a file; got nothing',
      'put the address into a file, or use --address -',
    )
  }
  if (flags.aws === true) assertOnlyAws(flags)
  const { configFile, stateDir } = resolveSettings(
    { ...(flags.config && { config: flags.config }), ...(flags.state && { state: flags.state }) },
    { [Variable.config]: variables[Variable.config], [Variable.state]: variables[Variable.state] },
  )
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
  assertAddress(text, flags.aws !== true)
  const put = async (secret: KeySecret) => {
    const current = withLabel(await secret.versions(), Label.Current)
    await secret.move(Label.Current, current?.id, await secret.putPending(text))
  }
  if (flags.aws === true) {
    const client = secretsManagerClient()
    const made = { description: DESCRIPTION, kmsKeyArn: treasury.encryption?.secrets }
    await put(new KeySecret(client, secretName, made)).finally(() => client.destroy())
  } else {
    const where = { stateDir, serviceUrl: serviceOf(flags, variables), service: treasury.service }
    await withEmbeddedClient(where, context, (client) =>
      put(new KeySecret(client, secretName, { description: DESCRIPTION })),
    )
  }
  output.data(
    output.json
      ? printableJson({ notice: name, secret: secretName })
      : `${name}: its address is in the secret ${secretName}`,
  )
  const { address: _, ...target } = flags
  output.next([commandIn(`notices test ${name}`, target)])
  return ExitCode.Done
}

function assertAddress(text: string, isDesk: boolean): void {
  try {
    parseWebhookTarget(text, { isDesk })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw usageError('usage', `--address: ${error.message}`, 'correct the file: nothing was written')
  }
}
