/**
 * Adds and takes out lines of a grant in the page itself. Without it the same buttons ask the server, which answers
 * with the form changed.
 */
export function enableRows(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>('form[data-lines]')) {
    const rows = form.querySelector<HTMLElement>('.rows')
    if (rows !== null) form.addEventListener('submit', (event) => changeHere(event, rows))
  }
}

function changeHere(event: SubmitEvent, rows: HTMLElement): void {
  const button = event.submitter
  if (!(button instanceof HTMLButtonElement)) return
  const [what, about] = button.value.split('.')
  if (what === 'add') add(rows, about ?? '')
  else if (what === 'remove') remove(rows, button)
  else return
  event.preventDefault()
}

function add(rows: HTMLElement, axis: string): void {
  const template = document.getElementById(`row-${axis}`)
  if (!(template instanceof HTMLTemplateElement)) return
  const row = document.importNode(template.content, true).firstElementChild
  if (!(row instanceof HTMLElement)) return
  number(row, nextNumber(rows))
  const before = placeFor(axis, rows)
  rows.insertBefore(row, before)
  row.querySelector<HTMLElement>('input:not([type=hidden]), select')?.focus()
}

/** A keys line may only be the first one, and nothing may follow delegate. */
function placeFor(axis: string, rows: HTMLElement): Element | null {
  if (axis === 'keys') return rows.firstElementChild
  const last = rows.lastElementChild
  return last instanceof HTMLElement && last.dataset['axis'] === 'delegate' ? last : null
}

function nextNumber(rows: HTMLElement): number {
  const numbers = [...rows.children].map((row) => Number((row as HTMLElement).dataset['row']))
  return Math.max(-1, ...numbers) + 1
}

const NUMBERED = ['id', 'name', 'for', 'aria-describedby', 'aria-labelledby']

/** Templates are numbered `N`: in names, ids and what refers to them. */
function number(row: HTMLElement, at: number): void {
  row.dataset['row'] = String(at)
  const renumber = (element: Element, attribute: string) => {
    const text = element.getAttribute(attribute)
    if (text !== null) element.setAttribute(attribute, text.replaceAll(/\bN\b/g, String(at)))
  }
  for (const element of row.querySelectorAll('*'))
    for (const attribute of NUMBERED) renumber(element, attribute)
  for (const button of row.querySelectorAll('button')) renumber(button, 'value')
}

function remove(rows: HTMLElement, button: HTMLButtonElement): void {
  const row = button.closest('.row')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  row?.remove()
  const target = next?.querySelector<HTMLElement>('input:not([type=hidden]), select')
  const fallback = rows.parentElement?.querySelector<HTMLElement>('.kinds button')
  ;(target ?? fallback)?.focus()
}
