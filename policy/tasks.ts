/** True for a task path: segments parted by single slashes, none of them empty, `.` or `..`. */
export function isTaskPath(text: string): boolean {
  return text.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** True where the task is the other one or lies below it: `T-7` covers `T-7/3`. */
export function isTaskWithin(task: string, parent: string): boolean {
  return task === parent || task.startsWith(`${parent}/`)
}
