// Defines `sluice proof make` and `sluice proof check`: options and help. A command's code is loaded when the command runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, addNoun, withJournalOptions } from '../terminal/commander.ts'
import type { CheckProofFlags } from './check.ts'
import type { MakeProofFlags } from './make.ts'

export const addProof: AddCommand = (program, context, endWith) => {
  const proof = addNoun(program, {
    name: 'proof',
    description: 'make a proof of a run or a movement, and check one',
    example: 'proof make RUN --out month-end.proof',
  })
  withJournalOptions(
    proof.command('make').description('write a proof of a run or a movement, which others can check without you'),
  )
    .argument('[id]', 'a run, or an intent by any id that movements show takes')
    .option('--keys <file>', 'with --service: its key file, as JSON [SLUICE_KEYS]')
    .option('--out <file>', 'where to (default: proofs/ID.proof in the state directory; - is standard output)')
    .option('--kind <kind>', 'convert, withdraw or run, where several have this id')
    .option(
      '--sign-with <key>',
      'with --aws: ARN or alias of a KMS key (default: alias/sluice-proof, after the environment)',
    )
    .option('--public-key', 'only print the public key of the proofs, to be published')
    .addHelpText('before', `Example:\n  ${INVOCATION} proof make RUN --out month-end.proof\n`)
    .addHelpText('after', `\n${PROVE_HELP}`)
    .action(async (id: string | undefined, flags: MakeProofFlags) =>
      endWith(await (await import('./make.ts')).writeProof(id, flags, context)),
    )
  proof
    .command('check')
    .description('check a proof, offline')
    .argument('<file>', 'what proof make wrote')
    .option('--key <file>', 'the public key that must have signed it, in PEM')
    .option('--thumbprint <text>', 'the same by its thumbprint (RFC 7638)')
    .option('--decision-key <text>', 'the key that must have signed the decisions')
    .addHelpText('before', `Example:\n  ${INVOCATION} proof check month-end.proof --key published.pem\n`)
    .addHelpText('after', `\n${VERIFY_HELP}`)
    .action(async (file: string, flags: CheckProofFlags) =>
      endWith(await (await import('./check.ts')).showCheckedProof(file, flags, context)),
    )
}

const PROVE_HELP = `The proof contains the request, the plan, the records of the journal with their chains, the history of the executions,
and what the service shows now. It has no secret, but it shows what the account holds, what it pays, and to whom: give
it to few.
Exit codes: 0 it ties out or is under way, 1 it could not be made, 2 wrong usage, 5 the evidence contradicts itself.`

const VERIFY_HELP = `It checks whether each byte is as it was signed, and derives the statement again from the evidence. Without --key or
--thumbprint it cannot say whose key signed.
Exit codes: 0 whole, and signed by that key, 1 changed, or not a proof, 2 wrong usage, 5 whole, and the evidence
contradicts itself, 6 whole, and compared with no key.`
