/** Whether a word is one that the view says; the others are the server's. The names of the view's begin with `$`. */
export const isOfView = (name: string): boolean => name.startsWith('$')
