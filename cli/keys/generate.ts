// `sluice keys generate`: makes a new signing key. Its private half goes to Secrets Manager only. Its public half goes to
// standard output, for upload in the service's dashboard.

import { KeyRole } from '../../core/contract/service-settings.ts'
import { roleKeyOf } from '../../core/contract/treasury.ts'
import { type DraftFlags, putDraft, readBearer } from '../../operations/keys/draft.ts'
import { nextCommand } from '../../operations/keys/key-failure.ts'
import { type KeyStore, withKeyStore } from '../../operations/keys/key-store.ts'
import { makeSigningPair } from '../../operations/keys/signing-pair.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { usageError } from '../../place/operation-error.ts'
import type { CommandContext } from '../terminal/context.ts'
import { reportDraft } from './report-draft.ts'

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
