// Makes the file of a proof from what can be read, and checks that the file can be verified.

import { type CheckedProof, checkProof } from './check-proof.ts'
import { collectParts, type EvidenceSources, type Proven } from './collect.ts'
import { type ProofSigner, sealPack } from './pack-file.ts'
import { evidenceIn } from './proof-parts.ts'
import { statementOf } from './statement.ts'

interface MadeProof extends CheckedProof {
  readonly file: Buffer
}

/** @throws PackFault, Defect, Transient, Refused */
export async function makeProof(proven: Proven, sources: EvidenceSources, signer: ProofSigner): Promise<MadeProof> {
  // The parts as they will be read: what JSON leaves out does not belong to them.
  const parts = (await collectParts(proven, sources)).map((part) => JSON.parse(JSON.stringify(part)))
  const statement = statementOf(evidenceIn(new Map(parts.map((part) => [part.part, part]))))
  const file = await sealPack([...parts, { part: 'statement', statement }], signer)
  return { file, ...(await checkProof(file)) }
}
