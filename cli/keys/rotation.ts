// `sluice keys generate` makes a new signing key. Its private half goes to Secrets Manager only. Its public half goes
// to standard output, for upload in the service's dashboard. `keys stage` puts a new bearer secret beside the current
// one. Both are valid for seven days after the rotation in the dashboard, so there is no hurry. `keys promote` makes
// the pending version the current one, if `keys verify` approved exactly this version. No command prints the secret
// itself.

import { KeyRole } from '../../core/contract/service-settings.ts'
import { roleKeyOf } from '../../core/contract/treasury.ts'
import { type Draft, type DraftFlags, putDraft, readBearer } from '../../operations/keys/draft.ts'
import { refuse } from '../../operations/keys/key-failure.ts'
import { Label, withLabel } from '../../operations/keys/key-secret.ts'
import { type KeyStore, type KeysFlags, withKeyStore } from '../../operations/keys/key-store.ts'
import { makeSigningPair } from '../../operations/keys/signing-pair.ts'
import { keysIn } from '../../operations/keys/stored-keys.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { unfit, usageError } from '../../place/operation-error.ts'
import { keysCommand } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { nothingPending } from './verify.ts'

interface GenerateFlags extends DraftFlags {
  readonly alg: 'EdDSA' | 'RS256'
}

/** @throws OperationError; nothing was put then. */
export async function generateKey(flags: GenerateFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  return withKeyStore(flags, context, async (keyStore) => {
    refuseWithoutUse(flags, keyStore)
    const secret = await readBearer(flags, keyStore, context)
    const { privateKeyPem, publicKeyPem, fingerprint, alg } = await makeSigningPair(flags.alg)
    const draft = await putDraft(flags, keyStore, output, {
      ...(secret !== undefined && { secret }),
      privateKeyPem,
      alg,
    })
    output.data(
      output.json
        ? JSON.stringify({ role: flags.role, ...draft, alg, fingerprint, publicKeyPem })
        : publicKeyPem.trimEnd(),
    )
    const upload = "upload the public half above in the service's dashboard, beside the existing signing keys"
    reportDraft(draft, { what: `new ${alg} signing key ${fingerprint}`, first: upload }, flags, output)
    return ExitCode.Done
  })
}

function refuseWithoutUse(flags: GenerateFlags, { service }: KeyStore): void {
  if (flags.role === KeyRole.Read) {
    const problem = 'expected trade or transfer; the role read signs nothing'
    throw unfit('role', problem, keysCommand('generate', { ...flags, role: KeyRole.Trade }))
  }
  const { kmsKey } = roleKeyOf(service, flags.role)
  if (kmsKey === undefined) return
  throw usageError(
    'configuration',
    `service.keys.${flags.role}.kmsKey: the role signs with ${kmsKey}, and keys in KMS are made by KMS`,
    'docs/runbook.md, "Rotating a KMS key", says how; keys status prints its public half',
  )
}

/** @throws OperationError; nothing was put then. */
export async function stageBearer(flags: DraftFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  return withKeyStore(flags, context, async (keyStore) => {
    const secret = await readBearer(flags, keyStore, context)
    if (secret === undefined) {
      const problem = 'expected a file with the new bearer secret, or - for standard input; got nothing'
      throw unfit('bearer', problem, `${keysCommand('stage', flags)} --bearer FILE`)
    }
    const draft = await putDraft(flags, keyStore, output, { secret })
    output.data(output.json ? JSON.stringify({ role: flags.role, ...draft }) : draft.versionId)
    const both = 'for a new signing key too, run this first: keys generate continues from this pending version'
    reportDraft(draft, { what: 'new bearer secret', first: both }, flags, output)
    return ExitCode.Done
  })
}

/** Prints to standard error. `what`: words for the draft, such as "new bearer secret". `first`: the next command before `verify`. */
function reportDraft(
  draft: Draft,
  { what, first }: { readonly what: string; readonly first: string },
  flags: DraftFlags,
  output: CommandContext['output'],
): void {
  output.note(`${what}: ${draft.secretName} has it as AWSPENDING, version ${draft.versionId}, key ${draft.prefix}`)
  output.next([first, keysCommand('verify', flags)])
}

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
      throw refuse(message, keysCommand('verify', flags))
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
      keysCommand('status', flags),
      "after those five minutes, revoke the former signing key in the service's dashboard",
    ])
    return ExitCode.Done
  })
}
