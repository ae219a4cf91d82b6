// Words an error of a form as the form does. Operations name the options of commands, and a page has fields. Pure.

const LABELS: Readonly<Record<string, string>> = {
  from: 'From',
  to: 'Until right before',
  zone: 'Time zone',
  asset: 'Asset',
  since: 'Since',
  before: 'Before',
  policy: 'Policy',
  payee: 'Payee',
  person: 'Person',
  outcome: 'State',
  kind: 'Kind',
  did: 'Did',
}

/** `--to: expected …` → `"Until right before": expected …`. */
export function inFormWords(text: string): string {
  return text.replace(/--([a-z]+)(?![\w-])/g, (option, name: string) => {
    const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined
    return label === undefined ? option : `"${label}"`
  })
}
