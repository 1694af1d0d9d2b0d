/** A sentence of the page that is translated where it is shown; says to the catalogue that it is one. */
export const mark = (english: string): string => english;
