// Proves each run of the tour, as `sluice proof make` does, and writes the proofs beside the pages. Each proof is checked by
// its bytes before it is written.

import type { EmbeddedAws } from '@sluice/embedded-aws'
import type { Sandbox } from '@sluice/service-sandbox'
import type { Clock } from '../../core/clock.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { writePage } from '../../operations/files/report-file.ts'
import { historiesOf } from '../../operations/movements/load-intent.ts'
import { makeProof } from '../../operations/proof/make-proof.ts'
import { deskProofKey } from '../../operations/proof/proof-key.ts'
import { Money } from '../../operations/proof/proof-parts.ts'
import { readKeyOf } from '../../place/configuration.ts'
import { openApiExecutions } from '../../place/executions/api-executions.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { readStored } from '../../place/journal/journal-scan.ts'
import { builtInService } from '../../place/service/built-in-sandbox.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { proofFile, proofKeyFile } from '../../place/state/state-layout.ts'
import { proofLines } from '../../views/proof-lines.ts'

interface Toured {
  readonly aws: EmbeddedAws
  readonly sandbox: Sandbox
  readonly treasury: Treasury
  readonly stateDir: string
  readonly clock: Clock
}

interface TourProofs {
  readonly files: readonly string[]
  /** Lines of each proof that does not tie out. */
  readonly findings: readonly string[]
}

/** @throws PackFault for a proof that fails its check */
export async function proveRuns(
  runIds: readonly string[],
  { aws, sandbox, treasury, stateDir, clock }: Toured,
): Promise<TourProofs> {
  const { stage } = treasury.service
  const service = { ...builtInService(sandbox), name: 'the built-in sandbox', isBuiltIn: true }
  const key = readKeyOf(service, treasury, KeyRole.Read)
  const signer = await deskProofKey(proofKeyFile(stateDir, true))
  const table = journalTable(aws)
  const executions = openApiExecutions(aws)
  try {
    return await withConnection({ baseUrl: service.url, key, clock }, async (client) => {
      const files: string[] = []
      const findings: string[] = []
      for (const id of runIds) {
        const sources = {
          readStored: (pk: string) => readStored(table, pk),
          histories: (intent: Parameters<typeof historiesOf>[0]) => historiesOf(intent, executions),
          service: client,
          decisionKey: table.decisionKey,
          from: { money: Money.Play, service: service.url, stage, environment: null },
        }
        const { file, statement } = await makeProof({ kind: 'run', id }, sources, signer)
        const place = proofFile(stateDir, id)
        writePage(place, file.toString('utf8'))
        files.push(place)
        if (statement.contradictions.length > 0) findings.push(...proofLines(statement))
      }
      return { files, findings }
    })
  } finally {
    table.client.destroy()
    executions.destroy()
  }
}
