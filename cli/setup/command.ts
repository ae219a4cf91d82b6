// Defines `sluice setup`: the commands for the first set-up, and for changes of the configuration. A command's code is
// loaded when the command runs.

import { answerFlags } from '../../operations/setup/answers.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, command, noun } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import { collect, JOURNAL, LIST, type OptionRow, SERVICE } from '../terminal/options.ts'

/** For a command that asks for the first policy of a treasury.json. */
const QUESTIONS: readonly OptionRow[] = [
  ['--service <url>', 'the service that the file is for (default: the built-in sandbox) [SLUICE_SERVICE]'],
  ...SERVICE.slice(1, 3),
  ['--stage <stage>', 'live or test: which keys are acceptable', 'test'],
  ['--no-input', 'never ask: each answer needs its flag'],
  ...Object.entries(answerFlags).map(([flag, hint]) => [`--${flag} <answer>`, hint] as const),
]

const init = command({
  name: 'init',
  what: 'write a treasury.json with a first policy, or add a policy to it, from questions or from flags',
  options: [
    ['--out <file>', 'where to (default: treasury.json in this directory)'],
    ...QUESTIONS,
    ['--add', 'add the policy to an existing file; nothing else of it changes'],
    ['--force', 'replace an existing file'],
  ],
  example: 'setup init --out policies.json',
  help: `Reads assets, markets and contacts from the service, and checks the file as every other command does, before it is
written. Where the file exists, it offers to add the policy, and shows the change first. Off a terminal, with --json or with --no-input, each answer needs its flag; missing answers are named. Without
questions: ${INVOCATION} setup init --out policies.json --kind rebalance --weights BTC=0.5,USDC=0.5 --no-input`,
  load: async () => (await import('./init/init.ts')).init,
})

const repository = command({
  name: 'repository',
  what: 'write a repository of your own: treasury.json, a CDK app, a test, pipelines and a page',
  operands: [['<dir>', 'a new or empty directory']],
  options: [
    ['--packages <folder>', 'the tarballs that `npm run packages` wrote in a checkout of Sluice'],
    ...QUESTIONS,
  ],
  example: 'setup repository treasury --packages OUT',
  help: `Asks what ${INVOCATION} setup init asks. The packages of this version are copied into the directory, because no registry
has them. Exit codes: 0 written; 1 the service does not answer; 2 wrong usage or answers, and nothing is written.`,
  load: async () => (await import('./repository/repository.ts')).makeRepository,
})

const doctor = command({
  name: 'doctor',
  what: 'check whether a set-up would work, and say what to do where not',
  options: [
    ...SERVICE,
    ['--aws', 'the deployed set-up: service, secrets and table of treasury.json, by the AWS SDK'],
    ['--before-deploy', 'with --aws: only what would keep treasury.json from being deployed'],
    ['--after-deploy', 'with --aws: whether the deployment works; probes signatures, and lets schedules start'],
    ['--convert <market>', "with --after-deploy and a test key: converts the market's minimum once"],
    ['--probe-signing', 'ask whether signing works, by signed requests that can move nothing'],
    ['--contact <id=asset@network>', 'a contact and what is sent to it; may be repeated', collect],
    ['--asset <code>', 'an asset that is used; may be repeated', collect],
    ['--market <id>', 'a market that is used; may be repeated', collect],
    ...LIST,
  ],
  example: 'setup doctor --service https://api.example.com --keys keys.json',
  help: `Each check is a line: ok, warn or fail, and what to do. --after-deploy uses the deployed file.
Where the keys are good it records that in the journal, with their account: until then schedules start nothing. It
moves nothing without --convert. Exit codes:
  0    nothing fails
  1    something fails
  2    wrong usage
  3    with --convert: the conversion was begun, and its end is unknown
  5    with --convert: what moved does not tie out`,
  load: async () => (await import('./doctor/doctor.ts')).runDoctor,
})

const diff = command({
  name: 'diff',
  what: 'show what treasury.json would change against what is deployed',
  options: [...JOURNAL, ...LIST, ['--exit-code', 'end with 7 where a bound is loosened, for pipelines']],
  example: 'setup diff --aws',
  help: `Each change is a row: first loosened bounds, then changes of no bound, then tightened bounds. Without --aws the
file is compared with the configuration of the running serve. --json: {"release","deployed","file","changes":[{"kind",
"path","text"}]}, with a SHA-256 of either configuration. Moves nothing. Exit codes: 0 the difference was shown, if
any; 1 what is deployed is not known; 2 wrong usage or configuration; 7 with --exit-code, a bound is loosened; 8 nothing
is deployed.`,
  load: async () => (await import('./diff/diff.ts')).showDiff,
})

const completion: AddCommand = (setup, ...given) =>
  command({
    name: 'completion',
    what: 'print what a shell needs to complete commands, options and names of policies',
    operands: [
      ['<shell>', 'bash, zsh or fish'],
      ['[words...]', 'with "words" in place of a shell: suggestions for the end of these words'],
    ],
    example: 'setup completion bash',
    help: `Where sluice is on the PATH (ln -s "$PWD/bin/sluice" ~/.local/bin/ puts it there):
  bash   add to ~/.bashrc:                  eval "$(sluice setup completion bash)"
  zsh    add to ~/.zshrc, after compinit:   eval "$(sluice setup completion zsh)"
  fish   once:  sluice setup completion fish > ~/.config/fish/completions/sluice.fish
Names of policies come from the file of --config, or of SLUICE_CONFIG. No service and no journal is asked.`,
    load: async () => {
      const { completeFirst, printScript } = await import('./completion/completion.ts')
      return async (shell: string, words: readonly string[], _flags: object, context: CommandContext) => {
        if (shell === 'words') await completeFirst(words, setup.parent ?? setup, context)
        else printScript(shell, context)
        return ExitCode.Done
      }
    },
  })(setup, ...given)

export const addSetup = noun(
  { name: 'setup', what: 'write a treasury.json, and check a set-up', example: 'setup doctor' },
  [init, repository, doctor, diff, completion],
)
