// `sluice keys generate` makes a new signing key. Its private half goes to Secrets Manager only. Its public half goes
// to standard output, for upload in the service's dashboard. `sluice keys stage` puts a new bearer secret beside the
// current one. Both are valid for seven days after the rotation in the dashboard, so there is no hurry. Neither prints
// the secret itself.

import { KeyRole } from '../../core/contract/service-settings.ts'
import { roleKeyOf } from '../../core/contract/treasury.ts'
import { type Draft, type DraftFlags, putDraft, readBearer } from '../../operations/keys/draft.ts'
import { nextCommand } from '../../operations/keys/key-failure.ts'
import { type KeyStore, withKeyStore } from '../../operations/keys/key-store.ts'
import { makeSigningPair } from '../../operations/keys/signing-pair.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { usageError } from '../../place/operation-error.ts'
import type { CommandContext } from '../terminal/context.ts'

export interface GenerateFlags extends DraftFlags {
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
    const message = '--role: expected trade or transfer; the role read signs nothing'
    throw usageError('usage', message, nextCommand('generate', { ...flags, role: KeyRole.Trade }))
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
      const message = '--bearer: expected a file with the new bearer secret, or - for standard input; got nothing'
      throw usageError('usage', message, `${nextCommand('stage', flags)} --bearer FILE`)
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
  output.next([first, nextCommand('verify', flags)])
}
