import type { Bench } from "../bench";

export default async function resident(bench: Bench): Promise<void> {
  bench.recorder.failure({ part: "resident", by: "gomme", what: "resident", message: "not in this build" });
}
