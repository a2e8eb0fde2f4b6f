/** Whether some text matches both globs, in which `*` stands for any characters. */
export function globsMeet(one: string, other: string): boolean {
  // Row `i` holds, for each `j`, whether the first i characters of one can meet the first j of the other.
  let row = Array.from({ length: other.length + 1 }, (_, j) => /^\**$/.test(other.slice(0, j)))
  for (const here of one) {
    const next = [here === '*' && row[0] === true]
    for (let j = 1; j <= other.length; j += 1) {
      const there = other[j - 1]
      const star = here === '*' || there === '*'
      next[j] = star
        ? row[j] === true || next[j - 1] === true
        : here === there && row[j - 1] === true
    }
    row = next
  }
  return row[other.length] === true
}
