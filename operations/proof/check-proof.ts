// Checks a proof by its bytes alone: they must be what was signed, and the statement must follow from the parts. It
// uses no network and no journal, and trusts no conclusion that is written in the proof.
import { hashParams } from '../../core/params-hash.ts'
import { type OpenedPack, openPack, PackFault } from './pack-file.ts'
import { evidenceIn } from './proof-parts.ts'
import { type Statement, statementOf } from './statement.ts'

export interface CheckedProof {
  /** Derived here. */
  readonly statement: Statement
  /** The thumbprint of the key that signed. */
  readonly thumbprint: string
}

/** @throws PackFault that names the part */
export async function checkProof(file: Uint8Array): Promise<CheckedProof> {
  const { parts, thumbprint } = await openPack(file)
  const statement = derivedFrom(parts)
  const written = parts.get('statement')
  if (written === undefined) throw new PackFault('statement', 'the part is missing')
  // Through JSON, as for the written statement.
  if (hashParams(written.statement) !== hashParams(JSON.parse(JSON.stringify(statement))))
    throw new PackFault('statement', 'it says other than what follows from the evidence beside it')
  return { statement, thumbprint }
}

/** Parts that cannot be judged are somebody else's fault, and not a defect of ours. */
function derivedFrom(parts: OpenedPack['parts']): Statement {
  try {
    return statementOf(evidenceIn(parts))
  } catch (error) {
    if (error instanceof PackFault || !(error instanceof Error)) throw error
    throw new PackFault('the evidence', error.message)
  }
}
