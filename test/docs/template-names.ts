// Turns the values of a template into words for people: resources by their deployed names, ARNs without partition,
// region and account. For the drawn pages only; no deployment uses it.

export interface TemplateResource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

const NAMES = ['FunctionName', 'StateMachineName', 'TableName', 'QueueName', 'LogGroupName', 'RoleName', 'Name']

/** Prefix of values that are known only at a deployment, such as the account. */
const PSEUDO = 'AWS::'

export function textsIn(resources: Readonly<Record<string, TemplateResource>>): (value: unknown) => string {
  function words(value: unknown): string {
    if (typeof value === 'string') return value
    if (typeof value !== 'object' || value === null) return String(value)
    const [[intrinsic, argument] = []] = Object.entries(value)
    if (intrinsic === 'Fn::Join' && Array.isArray(argument))
      return [argument[1]].flat().map(words).join(String(argument[0]))
    if (intrinsic === 'Fn::GetAtt' && Array.isArray(argument)) return named(String(argument[0]))
    if (intrinsic === 'Ref' && typeof argument === 'string') {
      return argument.startsWith(PSEUDO) ? argument.slice(PSEUDO.length) : named(argument)
    }
    return JSON.stringify(value)
  }

  function named(id: string): string {
    const properties = resources[id]?.Properties ?? {}
    const name = NAMES.map((each) => properties[each]).find((each) => typeof each === 'string')
    return typeof name === 'string' ? name : id
  }

  return (value) => words(value).replace(/^arn:[^:]*:([^:]*):[^:]*:(?:AccountId)?:/, '$1:')
}
