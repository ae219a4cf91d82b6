// `sluice proof make`: writes a proof of a run or of one movement, which others can check without us. Reads the journal, the
// executions and the service; sends nothing, and changes no record.

import type { ServiceClient } from '../../core/service/service-client.ts'
import { writeOut } from '../../operations/files/report-file.ts'
import { historiesOf } from '../../operations/movements/load-intent.ts'
import { assertId, findOneRecord, type OneRecord } from '../../operations/movements/one-record.ts'
import { readKind } from '../../operations/movements/record-kind.ts'
import type { EvidenceSources, Proven } from '../../operations/proof/collect.ts'
import { makeProof } from '../../operations/proof/make-proof.ts'
import { PackFault, thumbprintOf } from '../../operations/proof/pack-file.ts'
import { deskProofKey, kmsProofKey, type ProofKey, proofKeyAlias } from '../../operations/proof/proof-key.ts'
import { Money } from '../../operations/proof/proof-parts.ts'
import { readTreasury } from '../../place/configuration.ts'
import type { Executions } from '../../place/executions/executions.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { evidenceFailure } from '../../place/journal/journal-failure.ts'
import type {
  ApprovalAccess,
  ConfiguredJournal,
  PlacedJournal,
  RecordAccess,
} from '../../place/journal/journal-parts.ts'
import { readStored } from '../../place/journal/journal-scan.ts'
import { serviceOf, withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, unfit, usageError } from '../../place/operation-error.ts'
import { withJournalService } from '../../place/place-service.ts'
import { isSandboxAt } from '../../place/service/sandbox-address.ts'
import { filesOf, isOnAws } from '../../place/settings.ts'
import { proofFile, proofKeyFile } from '../../place/state/state-layout.ts'
import { proofLines } from '../../views/proof-lines.ts'
import { printable } from '../../views/text/shown.ts'
import { INVOCATION, quoted } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'

interface MakeProofFlags extends ConnectionFlags {
  readonly out?: string
  readonly kind?: string
  readonly signWith?: string
  readonly publicKey?: boolean
}

/** @throws OperationError */
export async function writeProof(
  id: string | undefined,
  flags: MakeProofFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { out, kind: asked, signWith, publicKey, ...connectionFlags } = flags
  if (out === '') throw unfit('out', 'expected a file; got an empty name', 'give --out a file')
  if (signWith !== undefined && !isOnAws(flags))
    throw unfit('sign-with', 'expected --aws beside it', 'leave it out: a desk signs with its own key')
  const kind = readKind(asked)
  const { configFile, stateDir } = settingsOf(flags, context)
  if (publicKey === true) {
    const environment = isOnAws(flags) ? readTreasury(configFile).environment : undefined
    const isSandbox = !isOnAws(flags) && (await isSandboxAt(serviceOf(flags, context.variables)))
    return showPublicKey(await keyOf(flags, { stateDir, environment, isSandbox }), isSandbox, context)
  }
  if (id === undefined) throw usageError('usage', 'id: expected a run or an intent; got nothing', { do: 'list-runs' })
  assertId(id)
  const { key, made } = await withJournalConnection(
    connectionFlags,
    context,
    async (journal) => {
      const proven = provenIn(await findOneRecord(id, { kind }, journal), id)
      const { environment } = journal.treasury
      const isSandbox = await isOfSandbox(journal)
      const signer = await keyOf(flags, { stateDir, environment, isSandbox })
      const money = isSandbox ? Money.Play : Money.Account
      const proof = await withJournalService(journal, connectionFlags, context, (service, url) =>
        makeProof(proven, sourcesOf(journal, { service, url, money }), signer),
      ).catch((error: unknown) => Promise.reject(proofFailure(error)))
      return { key: signer, made: proof }
    },
    { asksService: true, showsTour: true },
  )
  const { statement, thumbprint, file } = made
  const { output, stdout } = context
  const place = out === '-' ? undefined : writeOut(out, proofFile(stateDir, statement.of.id), file.toString('utf8'))
  if (place === undefined) stdout.write(file)
  else if (output.json) output.facts({ file: place, thumbprint, statement })
  else {
    for (const line of proofLines(statement)) output.text(printable(line))
    output.data(place)
  }
  output.note(`signed by the key ${thumbprint} (${key.alg})`)
  output.next([
    `${INVOCATION} proof check ${quoted(place ?? 'FILE')}   # or node docs/verify-proof.mjs, which needs nothing of ours`,
    { do: 'publish-key', why: 'to be published where others find it without you' },
  ])
  return statement.contradictions.length === 0 ? ExitCode.Done : ExitCode.DoesNotTieOut
}

function settingsOf(flags: MakeProofFlags, { variables }: CommandContext) {
  return filesOf(flags, variables)
}

interface Signing {
  readonly stateDir: string
  readonly environment: string | undefined
  readonly isSandbox: boolean
}

function keyOf({ aws, signWith }: MakeProofFlags, { stateDir, environment, isSandbox }: Signing): Promise<ProofKey> {
  if (aws === true) return kmsProofKey(signWith ?? proofKeyAlias(environment))
  return deskProofKey(proofKeyFile(stateDir, isSandbox))
}

function showPublicKey({ publicKeyPem, jwk, alg }: ProofKey, isSandbox: boolean, { output }: CommandContext): ExitCode {
  const thumbprint = thumbprintOf(jwk)
  const money = isSandbox ? Money.Play : Money.Account
  if (output.json) output.facts({ money, thumbprint, alg, jwk, publicKeyPem })
  else output.data(publicKeyPem.trimEnd())
  output.note(`its thumbprint (RFC 7638) is ${thumbprint}`)
  if (isSandbox)
    output.note('it signs proofs of play money only, and must not be published: name the service for the other key')
  return ExitCode.Done
}

function provenIn(asked: OneRecord, id: string): Proven {
  if (asked.kind !== 'foreign' && asked.kind !== 'unrecorded') return { kind: asked.kind, id: asked.id }
  const is =
    asked.kind === 'foreign' ? 'a movement that is claimed for others' : 'an execution that it has no record of'
  throw failedWith('refused', `${id} is ${is}: this journal proves nothing about it`, { do: 'list-movements' })
}

/** Whether the service is a sandbox: the built-in one, that of the tour, or one that somebody started. */
async function isOfSandbox({ embedded }: PlacedJournal): Promise<boolean> {
  return embedded !== undefined && isSandboxAt(embedded.serviceUrl)
}

interface Asked {
  readonly service: ServiceClient
  readonly url: string
  readonly money: Money
}

function sourcesOf(
  journal: ConfiguredJournal & RecordAccess & Executions & Pick<ApprovalAccess, 'decisionKey'>,
  { money, service, url }: Asked,
): EvidenceSources {
  const { decisionKey, table, treasury } = journal
  return {
    decisionKey,
    readStored: (key) => readStored(table, key),
    histories: (intent) => historiesOf(intent, journal),
    service,
    from: { money, service: url, stage: treasury.service.stage, environment: treasury.environment ?? null },
  }
}

function proofFailure(error: unknown): unknown {
  if (error instanceof PackFault)
    return failedWith('broken_answer', `no proof can be made: ${error.message}`, {
      do: 'verify-journal',
      why: 'what is wrong with the records',
    })
  return evidenceFailure(error)
}
