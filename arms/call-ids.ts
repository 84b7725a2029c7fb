/**
 * Call ids of an outgoing history. Products send an id that a session used twice a second time, and providers refuse it:
 * the later use gets an id of its own, so that both calls keep their results.
 */

/** Names the calls of one history, in order: an id as it is, and `id~2`, `id~3`, … for each use after the first. */
export function callNames(): (call: string) => string {
  const used = new Set<string>();
  return (call) => {
    let name = call;
    for (let use = 2; used.has(name); use++) name = `${call}~${use}`;
    used.add(name);
    return name;
  };
}
