// Defines `sluice proof make` and `sluice proof check`. A command's code is loaded when the command runs.

import { command, noun } from '../terminal/commander.ts'
import { READING } from '../terminal/options.ts'

const make = command({
  name: 'make',
  what: 'write a proof of a run or a movement, which others can check without you',
  operands: [['[id]', 'a run, or an intent by any id that movements show takes']],
  options: [
    ...READING,
    ['--out <file>', 'where to (default: proofs/ID.proof in the state directory; - is standard output)'],
    ['--kind <kind>', 'convert, withdraw or run, where several have this id'],
    ['--sign-with <key>', 'with --aws: ARN or alias of a KMS key (default: alias/sluice-proof, after the environment)'],
    ['--public-key', 'only print the public key of the proofs, to be published'],
  ],
  example: 'proof make RUN --out month-end.proof',
  help: `The proof contains the request, the plan, the records of the journal with their chains, the history of the executions,
and what the service shows now. It has no secret, but it shows what the account holds, what it pays, and to whom: give
it to few.
Exit codes: 0 it ties out or is under way, 1 it could not be made, 2 wrong usage, 5 the evidence contradicts itself.`,
  load: async () => (await import('./make.ts')).writeProof,
})

const check = command({
  name: 'check',
  what: 'check a proof, offline',
  operands: [['<file>', 'what proof make wrote']],
  options: [
    ['--key <file>', 'the public key that must have signed it, in PEM'],
    ['--thumbprint <text>', 'the same by its thumbprint (RFC 7638)'],
    ['--decision-key <text>', 'the key that must have signed the decisions'],
  ],
  example: 'proof check month-end.proof --key published.pem',
  help: `It checks whether each byte is as it was signed, and derives the statement again from the evidence. Without --key or
--thumbprint it cannot say whose key signed.
Exit codes: 0 whole, and signed by that key, 1 changed, or not a proof, 2 wrong usage, 5 whole, and the evidence
contradicts itself, 6 whole, and compared with no key.`,
  load: async () => (await import('./check.ts')).showCheckedProof,
})

export const addProof = noun(
  {
    name: 'proof',
    what: 'make a proof of a run or a movement, and check one',
    example: 'proof make RUN --out month-end.proof',
  },
  [make, check],
)
