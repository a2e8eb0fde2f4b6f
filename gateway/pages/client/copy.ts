/** Gives each text that is to be carried elsewhere its button, where the browser lets a page copy. */
export function enableCopying(root: ParentNode): void {
  // Absent where the page did not come by TLS or from this machine.
  if (!('clipboard' in navigator)) return
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copies]')) {
    const source = document.getElementById(button.dataset['copies'] ?? '')
    if (!(source instanceof HTMLTextAreaElement)) continue
    button.hidden = false
    button.addEventListener('click', () => void copy(source, button))
  }
}

async function copy(source: HTMLTextAreaElement, button: HTMLButtonElement): Promise<void> {
  const status = document.getElementById('copied')
  const say = (text: string) => {
    button.textContent = text
    if (status !== null) status.textContent = text
  }
  try {
    await navigator.clipboard.writeText(source.value)
    say('Copied')
  } catch {
    source.focus()
    source.select()
    say('Selected')
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}
