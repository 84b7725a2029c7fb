/** Parts of a path. */

/** `a/b/c.test.ts` gives `ts`. */
export const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** `a/b/c.test.ts` gives `c.test.ts`. */
export const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** `a/b/c.test.ts` gives `c.test`. */
export const stemOf = (path: string): string => baseOf(path).replace(/\.[a-z]+$/, "");

/** `a/b/c.test.ts` gives `a/b`, a file at the top "". */
export const areaOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const isSourcePath = (path: string): boolean => /\.(?:py|tsx?|rs)$/.test(path);

/** Whether a file holds nothing but tests. */
export const isTestPath = (path: string): boolean => /(?:^|\/)(?:tests?\/|conftest)|\.test\./.test(path);

/** What a directory is called in branch names and commit subjects: `broker/src` is `broker`. */
export const areaLabel = (directory: string): string => baseOf(directory.replace(/\/src$/, ""));
