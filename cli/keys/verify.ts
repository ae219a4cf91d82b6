// `sluice keys verify`: asks the service whether it accepts each key of the pending version. If it does, the version gets the
// label that `keys promote` needs. Moves nothing (place/service/probe-signing.ts says why).
import type { Clock } from '../../core/clock.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import { roleKeyOf } from '../../core/contract/treasury.ts'
import { SluiceError } from '../../core/errors.ts'
import type { ServiceKey } from '../../core/keys/key-source.ts'
import { problemOf } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { refuse } from '../../operations/keys/key-failure.ts'
import { Label, withLabel } from '../../operations/keys/key-secret.ts'
import { type KeyStore, type KeysFlags, withKeyStore } from '../../operations/keys/key-store.ts'
import { keysIn, type RoleKeyInUse } from '../../operations/keys/stored-keys.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { OperationError } from '../../place/operation-error.ts'
import { probeSigning } from '../../place/service/probe-signing.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { keysCommand } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'

/** The answer to one question about one key. */
interface Finding {
  readonly role: KeyRole
  readonly check: 'bearer' | 'signing'
  readonly ok: boolean
  readonly text: string
}

/** @throws OperationError (exit 1) unless the service accepts every key; the version gets no label then. */
export async function verifyPending(flags: KeysFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  return withKeyStore(flags, context, async (keyStore) => {
    const secret = keyStore.secret(roleKeyOf(keyStore.service, flags.role).secret)
    const versions = await secret.versions()
    const pending = withLabel(versions, Label.Pending)
    if (pending === undefined) throw nothingPending(secret.name, flags)
    const current = withLabel(versions, Label.Current)
    const keys = keysIn(await secret.read(pending.id), secret.name, flags.role, keyStore)
    const former =
      current && current !== pending ? keysOrNone(await secret.read(current.id), secret.name, flags, keyStore) : []

    const findings: Finding[] = []
    for (const key of keys) findings.push(...(await ask(key, former, keyStore.serviceUrl, clock)))
    for (const { role, check, ok, text } of findings) {
      output.note(`${output.style(ok ? 'green' : 'red', ok ? 'ok  ' : 'no  ')} ${role} ${check}: ${text}`)
    }
    if (findings.some(({ ok }) => !ok)) throw notVerified(findings, keys, flags, output)
    await secret.move(Label.Verified, withLabel(versions, Label.Verified)?.id, pending.id)
    output.data(output.json ? JSON.stringify({ secretName: secret.name, versionId: pending.id, findings }) : pending.id)
    output.next([keysCommand('promote', flags)])
    return ExitCode.Done
  })
}

async function ask(
  { role, key }: RoleKeyInUse,
  former: readonly RoleKeyInUse[],
  baseUrl: string,
  clock: Clock,
): Promise<Finding[]> {
  const accountOf = (asked: ServiceKey) => withConnection({ baseUrl, key: asked, clock }, readAccount)
  const bearer = await accountOf(key)
  const formerKey = former.find((each) => each.role === role)?.key
  const formerId = formerKey && bearer.id !== undefined ? (await accountOf(formerKey)).id : undefined
  const isSame = formerId === undefined || bearer.id === undefined || formerId === bearer.id
  const text = isSame ? bearer.text : 'it is a key of another account than the current key'
  const findings: Finding[] = [{ role, check: 'bearer', ok: bearer.ok && isSame, text }]
  if (role === KeyRole.Read || key.signer === undefined || !bearer.ok) return findings
  return [...findings, await askSigning(role, key, baseUrl, clock)]
}

interface AccountAnswer {
  readonly ok: boolean
  readonly id?: string
  readonly text: string
}

async function readAccount(client: ServiceClient): Promise<AccountAnswer> {
  try {
    return { ok: true, id: (await client.account()).id, text: 'GET /v2/account answers' }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    // The service knows the key. A role may work without the scope to read the account.
    const ok = problemOf(error)?.code === 'insufficient_scope'
    return { ok, text: ok ? 'the service knows it, and does not let it read the account' : error.message }
  }
}

async function askSigning(
  role: typeof KeyRole.Trade | typeof KeyRole.Transfer,
  key: ServiceKey,
  baseUrl: string,
  clock: Clock,
): Promise<Finding> {
  return withConnection({ baseUrl, key, clock }, async (client) => {
    try {
      const { verdict, text } = await probeSigning(client, role)
      if (verdict === 'accepted') throw acceptedProbe(text)
      const texts = {
        registered: 'its signature is accepted; the harmless request was refused as expected',
        not_registered: `its public half is not uploaded, or was revoked: ${text}`,
        not_known: `nothing is known yet: ${text}`,
      }
      return { role, check: 'signing', ok: verdict === 'registered', text: texts[verdict] }
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return { role, check: 'signing', ok: false, text: error.message }
    }
  })
}

/** Empty for unreadable current keys, because these are being replaced. */
function keysOrNone(text: string, name: string, flags: KeysFlags, keyStore: KeyStore): readonly RoleKeyInUse[] {
  try {
    return keysIn(text, name, flags.role, keyStore)
  } catch (error) {
    if (error instanceof OperationError) return []
    throw error
  }
}

export function nothingPending(name: string, flags: KeysFlags): OperationError {
  return refuse(
    `${name}: no version is pending`,
    `${keysCommand('generate', flags)}, or keys stage with a new bearer secret`,
  )
}

function notVerified(
  findings: readonly Finding[],
  keys: readonly RoleKeyInUse[],
  flags: KeysFlags,
  output: CommandContext['output'],
): OperationError {
  const lacking = findings.filter(({ ok }) => !ok)
  const toUpload = keys.find(
    ({ role, publicHalf }) =>
      publicHalf !== undefined && lacking.some((finding) => finding.role === role && finding.check === 'signing'),
  )
  if (toUpload?.publicHalf !== undefined) output.note(toUpload.publicHalf.publicKeyPem.trimEnd())
  const message = lacking.map(({ role, check, text }) => `${role} ${check}: ${text}`).join('\n')
  const first =
    toUpload === undefined ? '' : "upload the public half in the service's dashboard if it is not there, then "
  return refuse(`not verified, and nothing was changed\n${message}`, `${first}${keysCommand('verify', flags)}`)
}

function acceptedProbe(text: string): OperationError {
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'in_doubt',
    message: `${text}; it breaks its description`,
    next: "check the latest orders and withdrawals in the service's dashboard, and inform the service",
  })
}
