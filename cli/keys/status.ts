// `sluice keys status`: shows the versions of each key secret, their labels, and the public part of their keys. It never
// shows a secret.

import { GetPublicKeyCommand } from '@aws-sdk/client-kms'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import { keySecretsOf, roleKeyOf } from '../../core/contract/treasury.ts'
import { errorText } from '../../core/error-name.ts'
import { kmsClient } from '../../core/keys/kms-signer.ts'
import { type KeySecret, type KeyVersion, Label } from '../../operations/keys/key-secret.ts'
import { type KeyStore, type KeysFlags, withKeyStore } from '../../operations/keys/key-store.ts'
import { publicHalfOfDer } from '../../operations/keys/signing-pair.ts'
import { keysIn } from '../../operations/keys/stored-keys.ts'
import type { Column } from '../../operations/words/column.ts'
import { withClient } from '../../place/aws/with-client.ts'
import { rolesOf } from '../../place/configuration.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { OperationError } from '../../place/operation-error.ts'
import { keysCommand } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'

interface StatusFlags extends KeysFlags, ListFlags {}

/** One key of one version. */
interface StatusRow {
  readonly secretName: string
  readonly roles: readonly KeyRole[]
  readonly versionId?: string
  readonly labels: readonly string[]
  readonly createdAt?: string | undefined
  readonly prefix?: string
  readonly alg?: string | undefined
  readonly kmsKey?: string | undefined
  readonly fingerprint?: string | undefined
  readonly publicKeyPem?: string | undefined
  readonly why?: string
}

/** @throws OperationError when a secret cannot be read. */
export async function showStatus(flags: StatusFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, COLUMNS)
  return withKeyStore(flags, context, async (keyStore) => {
    const rows: StatusRow[] = []
    for (const name of keySecretsOf(keyStore.service)) rows.push(...(await rowsOf(keyStore.secret(name), keyStore)))
    if (output.json) output.data(JSON.stringify(rows))
    else printList(COLUMNS, rows, flags, context)
    output.next(nextCommands(rows, flags, keyStore))
    return ExitCode.Done
  })
}

async function rowsOf(secret: KeySecret, keyStore: KeyStore): Promise<StatusRow[]> {
  const versions = await secret.versions()
  const roles = rolesOf(keyStore.service, secret.name)
  if (versions.length === 0) return [{ secretName: secret.name, roles, labels: [], why: 'empty' }]
  const rows: StatusRow[] = []
  for (const version of versions) rows.push(...(await versionRows(secret, version, roles, keyStore)))
  return rows
}

async function versionRows(
  secret: KeySecret,
  { id, labels, createdAt }: KeyVersion,
  roles: readonly KeyRole[],
  keyStore: KeyStore,
): Promise<StatusRow[]> {
  const known = { secretName: secret.name, versionId: id, labels, createdAt: createdAt?.toISOString() }
  const [firstRole] = roles
  if (firstRole === undefined) return []
  try {
    const keys = keysIn(await secret.read(id), secret.name, firstRole, keyStore)
    const rows: StatusRow[] = []
    for (const { role, key, publicHalf } of keys) {
      const { kmsKey } = roleKeyOf(keyStore.service, role)
      const inKms = key.signer !== undefined && kmsKey !== undefined ? await readKmsHalf(kmsKey) : {}
      const ownRoles = keys.length === 1 ? roles : [role]
      rows.push({ ...known, roles: ownRoles, prefix: key.prefix, alg: key.signer?.alg, ...publicHalf, ...inKms })
    }
    return rows
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    return [{ ...known, roles, why: error.message }]
  }
}

async function readKmsHalf(kmsKey: string): Promise<Partial<StatusRow>> {
  return withClient(kmsClient(), async (client) => {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: kmsKey }))
    return { kmsKey, ...(PublicKey !== undefined && publicHalfOfDer(PublicKey)) }
  }).catch((error: unknown) => ({ kmsKey, why: `KMS: ${errorText(error)}` }))
}

const COLUMNS: readonly Column<StatusRow>[] = [
  { title: 'secret', text: ({ secretName }) => secretName, cutTo: 16 },
  { title: 'for', text: ({ roles }) => roles.join(' ') },
  { title: 'labels', text: ({ labels }) => labels.join(' ') || '-' },
  { title: 'version', text: ({ versionId }) => versionId ?? '-', isId: true },
  { title: 'created', text: ({ createdAt }) => createdAt ?? '-', isTime: true, isDetail: true },
  { title: 'key', text: ({ prefix, why }) => prefix ?? why ?? '-', isDetail: true },
  { title: 'alg', text: ({ alg }) => alg ?? '-', isDetail: true },
  {
    title: 'signing key',
    text: ({ fingerprint, why, prefix }) => fingerprint ?? (prefix && why) ?? '-',
    isId: true,
  },
]

function nextCommands(rows: readonly StatusRow[], flags: KeysFlags, { service }: KeyStore): string[] {
  const { secret } = roleKeyOf(service, flags.role)
  const own = rows.filter(({ secretName }) => secretName === secret)
  const pending = own.find(({ labels }) => labels.includes(Label.Pending))
  if (pending === undefined) {
    const first = own.some(({ versionId }) => versionId !== undefined) ? '' : ' --bearer FILE'
    return [`${keysCommand('generate', flags)}${first}`, `${keysCommand('stage', flags)} --bearer FILE`]
  }
  return [keysCommand(pending.labels.includes(Label.Verified) ? 'promote' : 'verify', flags)]
}
