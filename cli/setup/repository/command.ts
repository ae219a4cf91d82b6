// Defines `sluice setup repository`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../../terminal/command-line.ts'
import type { AddCommand } from '../../terminal/commander.ts'
import { withQuestions } from '../init/command.ts'
import type { RepositoryFlags } from './repository.ts'

export const addRepository: AddCommand = (setup, context, endWith) => {
  const command = setup
    .command('repository')
    .description('write a repository of your own: treasury.json, a CDK app, a test, pipelines and a page')
    .argument('<dir>', 'a new or empty directory')
    .option('--packages <folder>', 'the tarballs that `npm run packages` wrote in a checkout of Sluice')
  withQuestions(command)
    .addHelpText('before', `Example:\n  ${INVOCATION} setup repository treasury --packages OUT\n`)
    .addHelpText('after', HELP)
    .action(async (dir: string, flags: RepositoryFlags) =>
      endWith(await (await import('./repository.ts')).makeRepository(dir, flags, context)),
    )
}

const HELP = `
Asks what ${INVOCATION} setup init asks. The packages of this version are copied into the directory, because no registry
has them. Exit codes: 0 written; 1 the service does not answer; 2 wrong usage or answers, and nothing is written.`
