// Defines what a person may do next, as values: steps, and advice that has steps and options in its text. The terminal
// spells a step as a command, and the console makes a link of it. This file spells nothing.

/** The flags that name a place. */
export interface ConnectionFlags {
  readonly aws?: true
  readonly state?: string
  readonly service?: string
  readonly keys?: string
  readonly config?: string
}

/** A closed list of what a person may do. `id`: of an intent or a run, also the id that a person gave. */
type Deed =
  | { readonly do: 'accept-journal' | 'adopt-keys' | 'check-setup' | 'compare-configuration' | 'declare-foreign' }
  | { readonly do: 'export-journal' | 'generate-keys' | 'list-cases' | 'list-letters' | 'list-policies' }
  | { readonly do: 'protect-keys' | 'publish-key' | 'serve' | 'stage-keys' | 'tour' }
  /** `given`: what the person gave, where it is to be given again. */
  | { readonly do: 'halt'; readonly given?: Given }
  | { readonly do: 'approve' | 'decide' | 'report-run' | 'show-run'; readonly id: string }
  | { readonly do: 'audit'; readonly since?: string | undefined }
  /** Without `id`: all that is in doubt. */
  | { readonly do: 'enter-again'; readonly id?: string | undefined; readonly kind?: string | undefined }
  | { readonly do: 'list-runs'; readonly policy?: string | undefined }
  | { readonly do: 'resume'; readonly policy?: string | undefined; readonly isAll?: true }
  | { readonly do: 'plan' | 'release'; readonly policy: string }
  | { readonly do: 'query'; readonly query: string; readonly id?: string }
  /** `finding`: absent where the person has to find it. */
  | { readonly do: 'resolve'; readonly id: string; readonly finding?: Finding; readonly isSameAccount?: true }
  /** Without `policy` and `input`, and without `id`: the person chooses them. */
  | {
      readonly do: 'run'
      readonly verb: string
      readonly policy?: string
      readonly input?: object
      readonly id?: string
    }
  | { readonly do: 'check-payouts'; readonly file: string; readonly policy: string }
  | { readonly do: 'run-payouts'; readonly file?: string; readonly policy: string; readonly id?: string }
  | { readonly do: 'deploy' | 'verify-deployed'; readonly config?: string | undefined }
  /** A call of AWS that Sluice does not make itself. `options`: one that is undefined is left out. */
  | { readonly do: 'call-aws'; readonly call: string; readonly options: Given }
  /** `qualifier`: absent for the default one. */
  | { readonly do: 'bootstrap'; readonly environment: string; readonly qualifier?: string }
  /** The command that was given, with the id that continues its run. */
  | { readonly do: 'same'; readonly id: string }
  | { readonly do: 'set-notice' | 'test-notice'; readonly notice: string }
  | { readonly do: 'resend-letter' | 'show-letter'; readonly id: string }
  | { readonly do: 'drop-letter'; readonly id?: string }
  | { readonly do: 'list-movements'; readonly given?: Given; readonly isShadow?: boolean | undefined }
  | { readonly do: 'list-payouts'; readonly file: string; readonly policy: string }
  /** `isWritten`: writes what it finds. `before`: goes on with older executions. */
  | { readonly do: 'rebuild-journal'; readonly isWritten?: boolean; readonly before?: string }
  | { readonly do: 'show-logs'; readonly isFollowed?: true }
  | { readonly do: 'verify-journal'; readonly before?: string | undefined; readonly export?: string }
  | {
      readonly do: 'show-movement'
      readonly id: string
      readonly kind?: string | undefined
      readonly after?: string
      readonly isInSentences?: true
    }

/** Values of options, by their names. */
type Given = Readonly<Record<string, string | undefined>>

type Finding = { readonly movement: string } | 'nothing moved'

export type Step = Deed & {
  /** A remark, such as the reason to do it. */
  readonly why?: Advice
  /** The keys of this command may not do it: a person gives others. */
  readonly needsKeys?: true
  /** The place, where that is not the place of the command. */
  readonly at?: ConnectionFlags
}

/** An option of a command, which a page shows as the label of its field. */
export interface Option {
  readonly option: string
  readonly value?: string
}

export type Part = string | Step | Option
/** A text, a step, or a text with steps and options in it. */
export type Advice = string | Step | readonly Part[]

/** Spells advice for a face. */
export type Spell = (told: Advice) => string

/** Advice as a tagged template: advice`once it is corrected, ${step}`. Without a step or an option it is a text. */
export function advice(
  texts: TemplateStringsArray,
  ...values: readonly (Advice | Option | number | undefined)[]
): Advice {
  const parts: Part[] = []
  const add = (part: Part) => {
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = `${last}${part}`
    else if (part !== '') parts.push(part)
  }
  for (const [index, text] of texts.entries()) {
    add(text)
    const value = values[index] ?? ''
    for (const part of typeof value === 'number' ? [`${value}`] : partsOf(value)) add(part)
  }
  const [only = ''] = parts
  return parts.length > 1 || typeof only !== 'string' ? parts : only
}

export function option(name: string, value?: string): Option {
  return { option: name, ...(value !== undefined && { value }) }
}

/** The option with one of the values. */
export function options(name: string, values: readonly string[]): Advice {
  return values.flatMap((value, index) => [...(index === 0 ? [] : [' or ']), option(name, value)])
}

export function partsOf(told: Advice | Option): readonly Part[] {
  return Array.isArray(told) ? told : [told as Part]
}

/** Spells advice as one text. */
export function spelledBy(
  told: Advice,
  spell: { readonly step: (step: Step) => string; readonly option: (option: Option) => string },
): string {
  return partsOf(told)
    .map((part) => (typeof part === 'string' ? part : 'do' in part ? spell.step(part) : spell.option(part)))
    .join('')
}

/** The texts of the advice, changed. */
export function withTexts(told: Advice, change: (text: string) => string): Advice {
  return partsOf(told).map((part) => (typeof part === 'string' ? change(part) : part))
}

export function isStep(value: unknown): value is Step {
  return typeof value === 'object' && value !== null && 'do' in value
}

/** The deployment of the default file, and the check of what was deployed. */
export const [DEPLOY, VERIFY] = [{ do: 'deploy' }, { do: 'verify-deployed' }] as const
