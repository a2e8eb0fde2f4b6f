/** Shows times in the reader's zone and manner; what was written stays as the title. */
export function showLocalTimes(root: ParentNode): void {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
  for (const element of root.querySelectorAll('time')) {
    const time = Date.parse(element.dateTime)
    if (Number.isNaN(time)) continue
    element.title = element.dateTime
    element.textContent = format.format(time)
  }
}
