// Sentences of a card have two marks: `identifiers` and **weight**. Data inside of one must not use them: what a server calls
// itself would stand out like our own word, and a path would lose its asterisks.

/** Data for a sentence: its marks as characters that look like them and mark nothing. */
export const unmarked = (text: string): string => text.replaceAll('`', 'ˋ').replaceAll('**', '∗∗')
