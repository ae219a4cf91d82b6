// Compares texts as a person searches: without the case, and without the marks that group the digits of an amount. Pure.

/** Whether one of the texts contains what a person typed. Nothing typed is found everywhere. */
export function isFoundIn(texts: readonly string[], typed: string): boolean {
  const wanted = plain(typed)
  return wanted === '' || plain(texts.join('\n')).includes(wanted)
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)[ ,'\u202f\u00a0](?=\d{3}(?!\d))/g, '')
}
