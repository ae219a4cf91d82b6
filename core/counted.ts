/** `1 record`, `2 records`. `many`: the plural, where it is more than the word with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
