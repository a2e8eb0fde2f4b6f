/** Two posts that stand closer at the far end, in a blue that is seen on light and on dark. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#4a86e0" d="M3 3h7l4 26H7zM29 3h-7l-4 26h7z"/>
</svg>
`
