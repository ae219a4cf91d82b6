// Owns how records name a person, and whether two names may be the same person. On AWS, STS names the caller by an ARN.
// A name from a desk or from --by gets a mark, because nobody verified it. The mark is part of `by` in every record, so
// every view shows it. No ARN ends with the mark.

const MARK = ' (not verified)'

export function asNotVerified(name: string): string {
  return `${name}${MARK}`
}

/** Removes the mark: returns the ARN or the name as it was given. */
export function nameIn(by: string): string {
  return by.endsWith(MARK) ? by.slice(0, -MARK.length) : by
}

/**
 * Whether two names may be the same person. A person may use two roles, so only the last part counts: the user or
 * session name, ignoring case. Two people with the same session name count as one person, which then requires a third.
 */
export function isSamePerson(left: string, right: string): boolean {
  return personOf(left) === personOf(right)
}

/** The name of the user or session, in lower case. */
export function personOf(by: string): string {
  const name = nameIn(by)
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase()
}
