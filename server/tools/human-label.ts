/** The words of a name, as a label: "repo_path" and "repoPath" are "Repo path". */
export function humanLabel(name: string): string {
  const words = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .toLowerCase()
  return words === '' ? name : `${words[0]?.toUpperCase()}${words.slice(1)}`
}
