// Proves each run of the tour, as `sluice prove` does, and writes the proofs beside the pages. Each is checked by its bytes
// before it is written.

import type { EmbeddedAws } from '@sluice/embedded-aws'
import type { Sandbox } from '@sluice/service-sandbox'
import type { Clock } from '../../core/clock.ts'
import { KeyRole, type Treasury } from '../../core/contract/treasury.ts'
import { makeProof } from '../proof/make-proof.ts'
import { deskProofKey } from '../proof/proof-key.ts'
import { proofLines } from '../proof/proof-lines.ts'
import { Money } from '../proof/proof-parts.ts'
import { writePage } from '../report/report-file.ts'
import { historiesOf } from '../show/load-intent.ts'
import { readKeyOf } from '../target/configuration.ts'
import { awsExecutions } from '../target/journal/aws-executions.ts'
import { journalTable, readStored } from '../target/journal/journal-client.ts'
import { withConnection } from '../target/service/service-connection.ts'
import { builtInService } from '../target/service/service-target.ts'
import { proofFile, proofKeyFile } from '../target/state/state-layout.ts'

interface Toured {
  readonly aws: EmbeddedAws
  readonly sandbox: Sandbox
  readonly treasury: Treasury
  readonly stateDir: string
  readonly clock: Clock
}

export interface TourProofs {
  readonly files: readonly string[]
  /** What of a proof does not tie out. */
  readonly findings: readonly string[]
}

/** @throws PackFault for a proof that cannot be checked */
export async function proveRuns(
  runIds: readonly string[],
  { aws, sandbox, treasury, stateDir, clock }: Toured,
): Promise<TourProofs> {
  const { stage } = treasury.service
  const service = { ...builtInService(sandbox), name: 'the built-in sandbox', isBuiltIn: true }
  const key = readKeyOf(service, treasury, KeyRole.Read)
  const signer = await deskProofKey(proofKeyFile(stateDir, true))
  const table = journalTable(aws)
  const executions = awsExecutions(aws)
  try {
    return await withConnection({ baseUrl: service.url, key, clock }, async (client) => {
      const files: string[] = []
      const findings: string[] = []
      for (const id of runIds) {
        const sources = {
          readStored: (pk: string) => readStored(table, pk),
          histories: (intent: Parameters<typeof historiesOf>[0]) =>
            historiesOf(intent, { findHistory: executions.history }),
          service: client,
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
