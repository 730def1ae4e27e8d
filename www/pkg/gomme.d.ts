// Types of the package that stands beside the built page as ./pkg/gomme.js.
export * from "../../src/api";
export { default } from "../../src/api";
