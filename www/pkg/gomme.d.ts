// Types of the package that stands beside the built page as ./pkg/gomme.js.
export * from "../../src/api";

/** Starts the wasm module: fetched beside the package, or from these bytes. */
export default function init(options?: { module_or_path: Uint8Array }): Promise<unknown>;
