// Reads the commands of other programs in pages, such as `aws sqs get-queue-url --queue-name q` and `npm run deploy`.

export interface AwsCommand {
  readonly service: string
  readonly operation: string
  /** Names without the dashes at their begin. */
  readonly flags: readonly string[]
}

/** Lines that end with a backslash continue. A command ends at a pipe, a bracket, a backtick or a comment. */
export function awsCommandsIn(text: string): readonly AwsCommand[] {
  const lines = text.replace(/\\\n\s*/g, '').split('\n')
  return lines.flatMap((line) =>
    line.split(/\b(?=aws [a-z0-9-]+ [a-z0-9-]+)/).flatMap((part) => {
      const [, service, operation, rest = ''] = /^aws ([a-z][a-z0-9-]*) ([a-z][a-z0-9-]+)(.*)/.exec(part) ?? []
      if (service === undefined || operation === undefined) return []
      const [own = ''] = rest.replace(/'[^']*'|"[^"$]*"/g, '').split(/[|)`;]| #|&&/)
      return [{ service, operation, flags: [...own.matchAll(/ --([a-z][a-z0-9-]*)/g)].map(([, flag = '']) => flag) }]
    }),
  )
}

export function npmScriptsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bnpm run ([a-z][a-z:-]*)/g)].map(([, script = '']) => script)
}

/** Commands of ours in blocks of code, with everything behind the program's name. */
export function ownCommandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, code = '']) => code.replace(/\\\n\s*/g, ''))
  return blocks.flatMap((code) => [...code.matchAll(/npx sluice ([^\n#|;&)]*)/g)].map(([, what = '']) => what.trim()))
}
